package io.headgate.control.cli;

import io.headgate.config.HostConfig;
import io.headgate.config.read.HostConfigReader;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.forwarding.IpAddress;
import io.headgate.dataplane.frame.MacAddress;
import io.headgate.hostagent.HostAgent;
import io.headgate.hostagent.rdma.PerfPlan;
import io.headgate.hostagent.rdma.RdmaSetup;
import java.net.Inet4Address;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Options of the commands of {@code headgate rdma}, and the settings that follow from them. */
final class RdmaOptions {
    private static final Pattern ADDRESS =
            Pattern.compile("([0-9]{1,3}(?:\\.[0-9]{1,3}){3})(?:/([0-9]{1,2}))?");
    private static final int ADDRESS_BITS = 32;
    private static final int DEFAULT_PREFIX = 24;
    private static final int LARGEST_MESSAGE_BYTES = 64 << 20;
    private static final int BW_BYTES = 65_536;
    private static final int LAT_BYTES = 2;
    private static final long DEFAULT_ITERATIONS = 1_000;
    private static final long MOST_ITERATIONS = 1_000_000_000;
    private static final int MOST_QUEUE_PAIRS = 64;
    private static final int MOST_DEPTH = 4_096;
    private static final int LEAST_MTU = 256;
    private static final int LARGEST_MTU = 4_096;
    private static final int MOST_RETRIES = 1_000;
    private static final int MOST_REORDERING = 100;
    private static final int LARGEST_SERVICE = 65_535;
    private static final int LARGEST_DSCP = 63;
    private static final int MOST_CLIENTS = 256;

    /** The packets that are sent again after a loss. */
    enum Transport {
        ROCEV2,
        SELECTIVE
    }

    /** Locally administered, the rest of the MAC address being the IPv4 address. */
    private static final long OWN_MAC = 0x0200_0000_0000L;

    @Option(
            names = {"-c", "--config"},
            required = true,
            paramLabel = "FILE",
            description = "Configuration of the hosts, as for 'headgate host run'.")
    private Path file = Path.of("");

    @Option(
            names = "--host",
            paramLabel = "NAME",
            description = "The host of this configuration; required if it has several.")
    private @Nullable String host;

    @Option(
            names = "--address",
            required = true,
            paramLabel = "ADDRESS",
            description = "This host's IPv4 address: 10.0.0.1 or 10.0.0.1/24.")
    private String address = "";

    @Option(
            names = "--gateway",
            paramLabel = "ADDRESS",
            description = "Router towards a server in another network.")
    private @Nullable String gateway;

    @Option(
            names = "--peer-mac",
            paramLabel = "MAC",
            description =
                    "MAC address of the server or the router; it is then not resolved by ARP.")
    private @Nullable String peerMac;

    @Option(
            names = "--mac",
            paramLabel = "MAC",
            description =
                    "This host's own MAC address (default: 02:00 followed by its IPv4 address).")
    private @Nullable String mac;

    @Option(
            names = {"-s", "--size"},
            paramLabel = "BYTES",
            description =
                    "Size of a message in bytes, 1 to 67108864 over all connections (default:"
                            + " 65536; lat: 2).")
    private @Nullable Integer size;

    @Option(
            names = {"-n", "--iters"},
            paramLabel = "N",
            description = "Number of messages per connection (default: 1000; with -D: no limit).")
    private @Nullable Long iterations;

    @Option(
            names = {"-D", "--duration"},
            paramLabel = "TIME",
            converter = Durations.class,
            description = "Duration of the test, such as 5s.")
    private @Nullable Duration duration;

    @Option(
            names = {"-q", "--qps"},
            paramLabel = "N",
            defaultValue = "1",
            description = "Number of connections, 1 to 64 (default: ${DEFAULT-VALUE}).")
    private int queuePairs;

    @Option(
            names = {"-t", "--tx-depth"},
            paramLabel = "N",
            defaultValue = "128",
            description =
                    "Maximum number of outstanding messages per connection (default:"
                            + " ${DEFAULT-VALUE}).")
    private int depth;

    @Option(
            names = {"-m", "--mtu"},
            paramLabel = "BYTES",
            defaultValue = "1024",
            description = "Path MTU: 256, 512, 1024, 2048 or 4096 (default: ${DEFAULT-VALUE}).")
    private int mtu;

    @Option(
            names = "--dscp",
            paramLabel = "N",
            defaultValue = "0",
            description = "DSCP of all packets, 0 to 63 (default: ${DEFAULT-VALUE}).")
    private int dscp;

    @Option(
            names = {"-p", "--service"},
            paramLabel = "N",
            defaultValue = "18515",
            description =
                    "Service name, the same at client and server (default: ${DEFAULT-VALUE}).")
    private int service;

    @Option(
            names = {"-u", "--timeout"},
            paramLabel = "TIME",
            converter = Durations.class,
            description =
                    "Packets are sent again after this time without an acknowledgement (default:"
                            + " 67ms, or the time that 16 MB take on the line if that is longer).")
    private @Nullable Duration timeout;

    @Option(
            names = "--retries",
            paramLabel = "N",
            defaultValue = "7",
            description =
                    "Number of time-outs in a row before the connection fails (default:"
                            + " ${DEFAULT-VALUE}).")
    private int retries;

    @Option(
            names = "--transport",
            paramLabel = "KIND",
            defaultValue = "rocev2",
            description =
                    "rocev2: all packets from the first missing one on are sent again (go-back-N);"
                            + " selective: only lost packets are sent again. The same at both ends"
                            + " (default: ${DEFAULT-VALUE}).")
    private Transport transport = Transport.ROCEV2;

    @Option(
            names = "--reordering",
            paramLabel = "N",
            defaultValue = "3",
            description =
                    "With --transport selective: a packet counts as lost when a packet that was"
                            + " sent N packets later has arrived, 1 to 100 (default:"
                            + " ${DEFAULT-VALUE}).")
    private int reordering;

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            defaultValue = "10s",
            converter = Durations.class,
            description = "Time to wait for the server's answer (default: ${DEFAULT-VALUE}).")
    private Duration patience = Duration.ZERO;

    @Option(
            names = "--clients",
            paramLabel = "N",
            defaultValue = "1",
            description = "The server ends after N clients (default: ${DEFAULT-VALUE}).")
    private int clients;

    @Mixin private final HeadgateCommand.JsonOption json = new HeadgateCommand.JsonOption();

    @Parameters(
            arity = "0..1",
            paramLabel = "SERVER",
            description = "IPv4 address of the server; without it, this process is the server.")
    private @Nullable String serverAddress;

    boolean isJson() {
        return json.isGiven();
    }

    boolean isClient() {
        return serverAddress != null;
    }

    String address() {
        return address;
    }

    @Nullable String serverAddress() {
        return serverAddress;
    }

    int mtuBytes() {
        return mtu;
    }

    HostConfig config() {
        return HostConfigReader.read(file);
    }

    HostConfig.Nic nic(HostConfig config) throws CommandFailure {
        List<String> names = config.nics().stream().map(HostConfig.Nic::name).toList();
        if (host == null && names.size() > 1) {
            throw CommandFailure.badInput(
                    "%s has %s hosts; choose one with --host: %s"
                            .formatted(file, names.size(), some(names)));
        }
        String wanted = host == null ? names.getFirst() : host;
        if (!names.contains(wanted)) {
            throw CommandFailure.badInput(
                    "no host is named " + wanted + " in " + file + "; it has " + some(names));
        }
        HostConfig.Nic nic = config.nics().get(names.indexOf(wanted));
        require(
                Integer.bitCount(mtu) == 1 && mtu >= LEAST_MTU && mtu <= LARGEST_MTU,
                "--mtu " + mtu + " is not one of 256, 512, 1024, 2048 and 4096");
        require(
                mtu + RdmaSetup.HEADERS_BYTES <= nic.mtuBytes(),
                ("--mtu %d makes IP packets of up to %d bytes, but host %s has mtu: %d; use a"
                                + " smaller --mtu, or configure at least mtu: %d, also at the"
                                + " switch's port")
                        .formatted(
                                mtu,
                                mtu + RdmaSetup.HEADERS_BYTES,
                                nic.name(),
                                nic.mtuBytes(),
                                mtu + RdmaSetup.HEADERS_BYTES));
        return nic;
    }

    private static String some(List<String> names) {
        return String.join(", ", names);
    }

    private static void require(boolean holds, String sentence) throws CommandFailure {
        if (!holds) {
            throw CommandFailure.badInput(sentence);
        }
    }

    private static void requireWithin(String option, long value, long least, long most)
            throws CommandFailure {
        require(
                value >= least && value <= most,
                option + " " + value + " is not within " + least + " to " + most);
    }

    RdmaSetup setup(HostConfig.Nic nic) throws CommandFailure, DeviceException {
        requireWithin("--dscp", dscp, 0, LARGEST_DSCP);
        requireWithin("--service", service, 1, LARGEST_SERVICE);
        requireWithin("--retries", retries, 0, MOST_RETRIES);
        requireWithin("--reordering", reordering, 1, MOST_REORDERING);
        int ipv4 = ipv4("--address", address);
        return new RdmaSetup(
                mac == null ? OWN_MAC | Integer.toUnsignedLong(ipv4) : mac("--mac", mac),
                ipv4,
                nic.rateBps(),
                mtu,
                dscp,
                service,
                timeoutNs(nic.rateBps()),
                retries,
                transport == Transport.SELECTIVE ? reordering : 0,
                HostAgent.controls(nic));
    }

    /**
     * The default time-out: a lossless network keeps all waiting frames, and an acknowledgement
     * comes behind them.
     */
    private long timeoutNs(long rateBps) {
        Duration given = timeout;
        return given != null ? given.toNanos() : RdmaSetup.usualTimeoutNs(rateBps);
    }

    RdmaSetup.Client client(PerfPlan.Test test) throws CommandFailure {
        requireWithin("--qps", queuePairs, 1, MOST_QUEUE_PAIRS);
        requireWithin("--tx-depth", depth, 1, MOST_DEPTH);
        Integer given = size;
        int bytes = given != null ? given : test == PerfPlan.Test.LAT ? LAT_BYTES : BW_BYTES;
        requireWithin("--size", bytes, 1, LARGEST_MESSAGE_BYTES);
        require(
                (long) bytes * queuePairs <= LARGEST_MESSAGE_BYTES,
                "--qps %d with messages of %d bytes need %d bytes of memory, but a server has %d"
                        .formatted(
                                queuePairs,
                                bytes,
                                (long) bytes * queuePairs,
                                LARGEST_MESSAGE_BYTES));
        Duration during = duration;
        Long limit = iterations;
        if (limit != null) {
            requireWithin("--iters", limit, 1, MOST_ITERATIONS);
        }
        long messages = limit != null ? limit : during != null ? 0 : DEFAULT_ITERATIONS;
        int server = ipv4("the server's address", serverAddress == null ? "" : serverAddress);
        int own = ipv4("--address", address);
        require(server != own, "the server's address is this host's own: " + serverAddress);
        boolean isNear = (server ^ own) >>> (ADDRESS_BITS - prefix()) == 0;
        String router = gateway;
        require(
                isNear || router != null || peerMac != null,
                "%s is not on this host's network %s/%d; give the router's address with --gateway"
                        .formatted(serverAddress, address.split("/", 2)[0], prefix()));
        return new RdmaSetup.Client(
                new PerfPlan(test, bytes, messages, during == null ? 0 : during.toNanos(), depth),
                server,
                isNear || router == null ? server : ipv4("--gateway", router),
                peerMac == null ? 0 : mac("--peer-mac", peerMac),
                queuePairs,
                patience.toNanos(),
                () -> true);
    }

    RdmaSetup.Server server(PerfPlan.Test test) throws CommandFailure {
        requireWithin("--clients", clients, 1, MOST_CLIENTS);
        // A page more: parts of it begin at cache lines.
        return new RdmaSetup.Server(test, clients, LARGEST_MESSAGE_BYTES + 4_096);
    }

    private int prefix() {
        Matcher matcher = ADDRESS.matcher(address);
        String bits = matcher.matches() ? matcher.group(2) : null;
        return bits == null ? DEFAULT_PREFIX : Integer.parseInt(bits);
    }

    private static int ipv4(String option, String text) throws CommandFailure {
        Matcher matcher = ADDRESS.matcher(text);
        boolean isPlain = matcher.matches();
        String bits = isPlain ? matcher.group(2) : null;
        if (isPlain && (bits == null || isPrefix(option, bits))) {
            try {
                byte[] bytes = Inet4Address.ofLiteral(matcher.group(1)).getAddress();
                int value = ByteBuffer.wrap(bytes).getInt();
                if (IpAddress.isIpv4Source(value)) {
                    return value;
                }
            } catch (IllegalArgumentException e) {
                // Told below.
            }
        }
        throw CommandFailure.badInput(
                option + " '" + text + "' is not an IPv4 address of a host, such as 10.0.0.1");
    }

    private static boolean isPrefix(String option, String bits) {
        int prefix = Integer.parseInt(bits);
        return option.equals("--address") && prefix >= 1 && prefix < ADDRESS_BITS;
    }

    private static long mac(String option, String text) throws CommandFailure {
        try {
            long mac = MacAddress.parse(text);
            if (MacAddress.isValidSource(mac)) {
                return mac;
            }
        } catch (IllegalArgumentException e) {
            // Told below.
        }
        throw CommandFailure.badInput(
                option
                        + " '"
                        + text
                        + "' is not a MAC address of a host, such as 02:00:0a:00:00:01");
    }
}
