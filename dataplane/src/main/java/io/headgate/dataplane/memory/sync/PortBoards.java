package io.headgate.dataplane.memory.sync;

import java.util.Map;
import java.util.TreeMap;

/**
 * The {@link PortBoard}s of a switch: one per port for each mechanism that publishes state. All are
 * created when the switch is assembled.
 */
public final class PortBoards {
    /** Boards that publish nothing, as at a host's card. */
    public static final PortBoards NONE = new PortBoards(0);

    private final int ports;
    private final Map<String, PortBoard[]> byMechanism = new TreeMap<>();

    public PortBoards(int ports) {
        this.ports = ports;
    }

    /**
     * The board of a mechanism at a port; always the same one.
     *
     * @param mechanism its {@link io.headgate.config.Mechanism#id}
     * @param words number of words that each port publishes
     */
    public PortBoard of(String mechanism, int words, int port) {
        if (words == 0) {
            return PortBoard.NONE;
        }
        if (ports == 0) {
            return PortBoard.alone(words);
        }
        return byMechanism.computeIfAbsent(mechanism, _ -> PortBoard.between(ports, words))[port];
    }
}
