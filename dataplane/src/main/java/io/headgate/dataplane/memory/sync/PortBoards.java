package io.headgate.dataplane.memory.sync;

import java.util.Map;
import java.util.TreeMap;

/**
 * The {@link PortBoard}s of a switch: of each mechanism that has something to show, one for each
 * port. All are made when the switch is assembled.
 */
public final class PortBoards {
    /** Boards that show nothing, as at a host's card. */
    public static final PortBoards NONE = new PortBoards(0);

    private final int ports;
    private final Map<String, PortBoard[]> byMechanism = new TreeMap<>();

    public PortBoards(int ports) {
        this.ports = ports;
    }

    /**
     * A port's of a mechanism: the same whenever it is asked for.
     *
     * @param mechanism its {@link io.headgate.config.Mechanism#id}
     * @param words that each port shows
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
