package io.headgate.dataplane.engine;

import io.headgate.config.PortConfig;
import io.headgate.dataplane.flowcontrol.Classifier;
import io.headgate.dataplane.flowcontrol.LinkRelays;
import io.headgate.dataplane.flowcontrol.PortFlowControl;
import io.headgate.dataplane.linkcontrol.PresentTime;
import io.headgate.dataplane.memory.sync.PortBoards;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;

/**
 * State that the halves of a switch publish to one another: a word with one writer each, the latest
 * value wins, readable by anyone a moment stale.
 */
public final class PortRegistry {
    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(int[].class);

    // One cache line a port: the writers are on different threads.
    private static final int STRIDE = 16;

    private final int[] words;
    private final List<PortConfig> ports;
    private final List<PortBehaviour> behaviours;
    private final PresentTime time;
    private final LinkRelays relays;
    private final PortBoards boards;
    private final PortFlowControl[] flowControls;

    PortRegistry(
            List<PortConfig> ports,
            List<PortBehaviour> behaviours,
            PresentTime time,
            LinkRelays relays,
            PortBoards boards) {
        this.words = new int[ports.size() * STRIDE];
        this.ports = ports;
        this.behaviours = behaviours;
        this.time = time;
        this.relays = relays;
        this.boards = boards;
        this.flowControls = new PortFlowControl[ports.size()];
        Arrays.setAll(flowControls, this::flowControlOf);
    }

    private PortFlowControl flowControlOf(int port) {
        Classifier classifier = behaviours.get(port).classifier();
        return new PortFlowControl(port, ports.get(port), classifier, time, relays, boards);
    }

    /**
     * Before both halves of a port are restarted by their owners: they find other words between
     * them, and none of what they told each other.
     */
    void restart(int port) {
        flowControls[port] = flowControlOf(port);
    }

    /** What both halves of a port tell each other of flow control. */
    public PortFlowControl flowControl(int port) {
        return flowControls[port];
    }

    /** What mechanisms at each port show themselves at the others. */
    PortBoards boards() {
        return boards;
    }

    /** Whether a port has a device whose link is up. Written by its ingress half. */
    public boolean isUp(int port) {
        return (int) WORD.getOpaque(words, port * STRIDE) != 0;
    }

    void setUp(int port, boolean up) {
        WORD.setOpaque(words, port * STRIDE, up ? 1 : 0);
    }
}
