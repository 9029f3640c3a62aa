package io.headgate.testbed.swarm.check;

import io.headgate.dataplane.escape.EscapeConfig;
import io.headgate.dataplane.escape.TokenManager;
import io.headgate.testbed.virtual.SwitchNode;

/**
 * Computes the longest time between two tokens for a blocked flow. The proof of theorem 4.4.1
 * leaves this open ("as Escape selects f", "as token τ reaches every node"); here pools are shared
 * and tokens may fail. Each port has its own {@code tokens}, {@code reclaim} and flows; other ports
 * matter only through the ports on the flow's path.
 */
final class TokenGaps {
    private TokenGaps() {}

    /**
     * The gap at the open port that gives the tokens out. A token that fails is back after its
     * reclaim time and a quarter, when the port looks, and is given out in the next period. Each
     * flow that the port knows has its turn before any flow has a second one. A flow whose token is
     * under way, and that may not have another, misses a turn: therefore one more round.
     */
    static long atOpenPortNs(SwitchNode node, int port) {
        EscapeConfig config = config(node, port);
        int most =
                config.selection() == EscapeConfig.Selection.WEIGHT
                        ? EscapeConfig.MOST_TOKENS_IN_TURN
                        : 1;
        long rounds = Math.ceilDiv((long) flows(node, port) * most, config.tokens());
        return (rounds + 1) * (backNs(config) + config.periodNs());
    }

    /**
     * The gap behind a port through which tokens pass, where a token's own pool may be empty. After
     * a refusal the port keeps its last token for a time until the flow asks again; each time that
     * the flow asks too late this time doubles, and the flow is refused until the time is as long
     * as the gap. From then on only flows that have waited longer go before it, each once: for each
     * the port waits at most as long as it has waited for any flow, and then for a token to come
     * back. Then the flow is the first, and asks within a gap.
     *
     * <p>The longest time that the port has waited for a flow is read from the port. It depends on
     * when other flows ask, which need not be blocked all the time: only their tokens bound it.
     * TurnsTest checks that it is at most twice the time between two tokens of one flow.
     */
    static long behindNs(SwitchNode node, int port, long gapNs) {
        EscapeConfig config = config(node, port);
        long asks = 2;
        long patienceNs = TokenManager.PATIENCE_RECLAIMS * config.reclaimNs();
        for (; patienceNs < gapNs; patienceNs *= 2) {
            asks++;
        }
        long waitNs = TokenEnds.escape(node, port).orElseThrow().longestPatienceNs();
        return asks * gapNs + flows(node, port) * (waitNs + backNs(config));
    }

    private static long backNs(EscapeConfig config) {
        return config.reclaimNs() + config.reclaimNs() / 4;
    }

    private static int flows(SwitchNode node, int port) {
        return TokenEnds.escape(node, port).orElseThrow().flows();
    }

    private static EscapeConfig config(SwitchNode node, int port) {
        EscapeConfig config = node.config(port).mechanisms().get(EscapeConfig.class);
        if (config == null) {
            throw new IllegalArgumentException(node + ", port " + port + " has no Escape");
        }
        return config;
    }
}
