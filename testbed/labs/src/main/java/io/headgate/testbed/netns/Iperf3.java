package io.headgate.testbed.netns;

import io.headgate.config.Withers;
import io.headgate.control.report.Json;
import io.headgate.testbed.scenario.Series;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Runs iperf3 between hosts of a network and reads its JSON. */
public final class Iperf3 {
    /** TCP ports used, one a flow, from here on. */
    private static final int FIRST_PORT = 5201;

    private static final long LISTEN_TIMEOUT_NS = 60_000_000_000L;
    private static final long SLACK_MS = 60_000;

    private Iperf3() {}

    /** The receiver's port of a flow of this number, from 0. */
    public static int port(int number) {
        return FIRST_PORT + number;
    }

    /**
     * A flow to run; hosts are numbered from 1.
     *
     * @param udpBps the rate of its payload; 0 with TCP
     * @param tos type of service byte of its IP headers, DSCP and ECN
     * @param socketBytes what both its sockets hold; 0: as the kernel has it
     * @param tcpControl its congestion control with TCP; empty: the kernel's
     * @param udpBurst datagrams, 1 to 1,000, that it sends one right after another, and then none
     *     until its rate allows the next burst; 0: they are spread evenly
     */
    public record Flow(
            int from,
            int to,
            long udpBps,
            int tos,
            int socketBytes,
            String tcpControl,
            int udpBurst) {
        /** A flow with the kernel's settings of TCP. */
        public Flow(int from, int to) {
            this(from, to, 0, 0, 0, "", 0);
        }
    }

    /** The protocol of a flow. */
    public enum Protocol {
        TCP,
        UDP
    }

    /**
     * iperf3's result for a flow.
     *
     * @param problem in one sentence, or null if it ran to its end
     * @param sentBps payload bits per second given to the sender's socket
     * @param receivedBps payload bits per second out of the receiver's
     * @param retransmits TCP segments sent again
     * @param lostDatagrams of {@code datagrams}, as the receiver counted
     * @param reorderedDatagrams those that came behind later ones, as the receiver counted
     * @param jitterMs as the receiver reckoned (RFC 1889)
     * @param json iperf3's own output, as it is
     */
    @Withers
    public record Outcome(
            Flow flow,
            Protocol protocol,
            @Nullable String problem,
            double sentBps,
            double receivedBps,
            long retransmits,
            long lostDatagrams,
            long datagrams,
            long reorderedDatagrams,
            double jitterMs,
            String json)
            implements Iperf3OutcomeBuilder.With {

        /** The rate of payload given to the sender's socket, in Mb/s, by iperf3's intervals. */
        public Series sent() {
            List<double[]> sent = new ArrayList<>();
            try {
                for (JsonNode interval : Json.COMPACT.readTree(json).path("intervals")) {
                    JsonNode all = interval.path("sum");
                    // They last a second, but do not begin at the very second.
                    double us = Math.rint(all.path("start").asDouble(0) * 10) * 1e5;
                    sent.add(new double[] {us, all.path("bits_per_second").asDouble(0) / 1e6});
                }
            } catch (JacksonException e) {
                return Series.of("sent", "Mb/s", List.of());
            }
            return Series.of("sent", "Mb/s", sent);
        }

        /** Datagrams that came out of the receiver's socket, with UDP. */
        public long receivedDatagrams() {
            try {
                JsonNode end = Json.COMPACT.readTree(json).path("end");
                // The receiver counts by the highest number that came: what was lost behind that
                // is in the sender's count alone.
                return end.path("sum_received").path("packets").asLong(0) - lostDatagrams;
            } catch (JacksonException e) {
                return 0;
            }
        }
    }

    /** Runs flows at the same time, each from its {@code from} to its {@code to}. */
    public static List<Outcome> run(
            NetnsNetwork network, Protocol protocol, List<Flow> flows, int seconds)
            throws BedException {
        List<Programs.Running> servers = new ArrayList<>();
        for (int i = 0; i < flows.size(); i++) {
            servers.add(listen(network, flows.get(i), i));
        }
        for (int i = 0; i < flows.size(); i++) {
            awaitListening(servers.get(i), i);
        }
        List<Programs.Running> clients = new ArrayList<>();
        for (int i = 0; i < flows.size(); i++) {
            clients.add(send(network, flows.get(i), i, protocol, seconds));
        }
        List<Outcome> outcomes = new ArrayList<>();
        for (int i = 0; i < flows.size(); i++) {
            outcomes.add(
                    await(flows.get(i), protocol, servers.get(i), clients.get(i), seconds * 1000L));
        }
        return outcomes;
    }

    /** Starts the receiver of a flow, which has a number of its own in its network, from 0. */
    public static Programs.Running listen(NetnsNetwork network, Flow flow, int number)
            throws BedException {
        return network.programs().startReceiver(network.hostNetns(flow.to - 1), server(number));
    }

    /** Waits until the receiver of a flow of that number is ready. */
    public static void awaitListening(Programs.Running server, int number) throws BedException {
        awaitPort(server, port(number));
    }

    /** Starts the sender of a flow whose receiver listens. */
    public static Programs.Running send(
            NetnsNetwork network, Flow flow, int number, Protocol protocol, int seconds)
            throws BedException {
        List<String> client = client(network.address(flow.to - 1), number, protocol, seconds, flow);
        return network.programs().start(network.hostNetns(flow.from - 1), client);
    }

    /**
     * The result of a flow, once it has ended.
     *
     * @param leftMs how long it still lasts
     */
    public static Outcome await(
            Flow flow,
            Protocol protocol,
            Programs.Running server,
            Programs.Running client,
            long leftMs) {
        Programs.Result result = client.await(leftMs + SLACK_MS);
        // A server ends with its one client; if the client never came, the server is killed.
        Programs.Result heard = server.await(result.ok() ? SLACK_MS : 0);
        return parse(flow, protocol, result, heard)
                .withReorderedDatagrams(protocol == Protocol.UDP ? reordered(heard) : 0);
    }

    /** As {@link #parse}, but a receiver that was killed explains what its sender says. */
    static Outcome parse(
            Flow flow, Protocol protocol, Programs.Result sender, Programs.Result receiver) {
        Outcome outcome = parse(flow, protocol, sender);
        return outcome.problem != null && !sender.wasKilled() && receiver.wasKilled()
                ? failed(flow, protocol, sender, "its receiver: " + receiver.killed())
                : outcome;
    }

    private static List<String> server(int number) {
        return List.of("iperf3", "-4", "-s", "-1", "-J", "-p", Integer.toString(port(number)));
    }

    private static List<String> client(
            String address, int number, Protocol protocol, int seconds, Flow flow) {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                "iperf3",
                                "-4",
                                "-J",
                                "-c",
                                address,
                                "-p",
                                Integer.toString(port(number)),
                                "-t",
                                Integer.toString(seconds)));
        if (protocol == Protocol.UDP) {
            String burst = flow.udpBurst == 0 ? "" : "/" + flow.udpBurst;
            command.addAll(List.of("-u", "-b", flow.udpBps + burst));
        } else if (!flow.tcpControl.isEmpty()) {
            command.addAll(List.of("-C", flow.tcpControl));
        }
        if (flow.tos != 0) {
            command.addAll(List.of("-S", Integer.toString(flow.tos)));
        }
        if (flow.socketBytes != 0) {
            command.addAll(List.of("-w", Integer.toString(flow.socketBytes)));
        }
        return command;
    }

    /** Waits until a server listens, which the sockets of its namespace tell (proc_net(5)). */
    private static void awaitPort(Programs.Running server, int port) throws BedException {
        String wanted = String.format(Locale.ROOT, ":%04X 00000000:0000 0A", port);
        Path sockets = Path.of("/proc/" + server.pid() + "/net/tcp");
        long deadlineNs = System.nanoTime() + LISTEN_TIMEOUT_NS;
        while (server.isAlive() && System.nanoTime() - deadlineNs < 0) {
            try {
                if (Files.readString(sockets).contains(wanted)) {
                    return;
                }
            } catch (IOException gone) {
                break;
            }
            LockSupport.parkNanos(5_000_000);
        }
        throw new BedException("the iperf3 server does not listen: " + server.await(0).lastLine());
    }

    static Outcome parse(Flow flow, Protocol protocol, Programs.Result result) {
        JsonNode root;
        try {
            root = Json.COMPACT.readTree(result.output());
        } catch (JacksonException e) {
            return failed(flow, protocol, result, result.lastLine());
        }
        String error = root.path("error").asString("");
        JsonNode end = root.path("end");
        if (!error.isEmpty() || (!end.has("sum_sent") && !end.has("sum"))) {
            String ended = error.isEmpty() ? "exit code " + result.exitCode() : error;
            String problem = result.killed().isEmpty() ? ended : result.killed();
            return failed(flow, protocol, result, problem);
        }
        if (protocol == Protocol.TCP) {
            JsonNode sent = end.path("sum_sent");
            return new Outcome(
                    flow,
                    protocol,
                    null,
                    sent.path("bits_per_second").asDouble(0),
                    end.path("sum_received").path("bits_per_second").asDouble(0),
                    sent.path("retransmits").asLong(0),
                    0,
                    0,
                    0,
                    0,
                    result.output());
        }
        JsonNode sum = end.path("sum");
        double sentBps = sum.path("bits_per_second").asDouble(0);
        long datagrams = sum.path("packets").asLong(0);
        long lost = sum.path("lost_packets").asLong(0);
        // Over the receiver's own time: what a lossless network still holds at the sender's end
        // comes later, and would make a rate above that of the link.
        double receivedBps = end.path("sum_received").path("bits_per_second").asDouble(0);
        return new Outcome(
                flow,
                protocol,
                null,
                sentBps,
                receivedBps,
                0,
                lost,
                datagrams,
                0,
                sum.path("jitter_ms").asDouble(0),
                result.output());
    }

    /** The values that only the receiver knows. */
    private static long reordered(Programs.Result server) {
        try {
            long sum = 0;
            for (JsonNode stream :
                    Json.COMPACT.readTree(server.output()).path("end").path("streams")) {
                sum += stream.path("udp").path("out_of_order").asLong(0);
            }
            return sum;
        } catch (JacksonException e) {
            return 0;
        }
    }

    private static Outcome failed(
            Flow flow, Protocol protocol, Programs.Result result, String problem) {
        return new Outcome(flow, protocol, problem, 0, 0, 0, 0, 0, 0, 0, result.output());
    }
}
