package io.headgate.testbed.lab;

import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.NetnsNetwork;
import io.headgate.testbed.netns.Ping;
import java.util.ArrayList;
import java.util.List;

/** Whether a host hears another: as soon as one request is answered. */
final class FirstPing {
    private static final String PATIENCE_S = "10";
    private static final long END_WITHIN_MS = 60_000;

    private FirstPing() {}

    /**
     * Asks as often as {@link Ping} does until there is an answer or an error, for 10 s at most.
     */
    static boolean isAnswered(NetnsNetwork network, int from, int to) throws BedException {
        String address = network.address(to);
        List<String> words = new ArrayList<>(Ping.command(address, 1));
        words.addAll(words.indexOf(address), List.of("-w", PATIENCE_S));
        String said =
                network.programs().run(network.hostNetns(from), END_WITHIN_MS, words).output();
        return Ping.parse(from, to, 1, said).reachable();
    }
}
