package io.headgate.testbed.topology;

/**
 * A link, with its end nodes and ports by number.
 *
 * @param number in its network, from 0
 * @param name {@code a-b}, with {@code .2} and so on where two nodes have several links
 * @param spec scaled
 */
public record LinkPlan(int number, String name, End a, End b, LinkSpec spec) {
    /**
     * An end of a link.
     *
     * @param isHost whether it is at a host; otherwise at a switch
     * @param node the host's or switch's number
     * @param port the switch's port, from 0; 0 for a host
     */
    public record End(boolean isHost, int node, int port) {}
}
