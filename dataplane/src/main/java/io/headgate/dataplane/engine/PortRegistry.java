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
 * State that the halves of a switch publish for each other. Each word has one writer; any thread
 * may read it and may see a slightly old value.
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
     * Called before the owners restart both halves of a port: gives the halves new shared words,
     * without their former content.
     */
    void restart(int port) {
        flowControls[port] = flowControlOf(port);
    }

    /** State of flow control that the two halves of a port share. */
    public PortFlowControl flowControl(int port) {
        return flowControls[port];
    }

    /**
     * The boards on which a mechanism at one port shows words to the same mechanism at the others.
     */
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
