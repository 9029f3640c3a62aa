package io.headgate.perf.forwarding;

import io.headgate.control.cli.bench.BenchException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Open vSwitch's userspace datapath ({@code netdev}) with its NORMAL action, a learning bridge. A
 * database and daemon of our own in a private directory; the system's service is not touched. With
 * af_packet ("system" interfaces) its main thread forwards, and sleeps in between; with af_xdp a
 * polling thread does.
 */
final class OpenVswitchDevice extends DeviceUnderTest {
    private static final String SCHEMA = "/usr/share/openvswitch/vswitch.ovsschema";
    private static final long READY_SECONDS = 20;
    private static final int SOCKET_TRIES = 100;
    private static final int SOCKET_PAUSE_MS = 100;

    private final List<String> commands = new ArrayList<>();
    private @Nullable ChildProcess database;

    OpenVswitchDevice(Setting setting, String attachment) {
        super(setting, "Open vSwitch", attachment);
    }

    /** Why it cannot be measured here, if it cannot. */
    static Optional<String> whyNot() {
        for (String program : List.of("ovs-vswitchd", "ovsdb-server", "ovsdb-tool", "ovs-vsctl")) {
            if (Commands.find(program).isEmpty()) {
                return Optional.of(
                        "Open vSwitch is not installed ("
                                + program
                                + "; Debian: apt-get install openvswitch-switch)");
            }
        }
        return Optional.empty();
    }

    @Override
    String version() {
        return Commands.packageVersion("openvswitch-switch");
    }

    @Override
    List<String> commands() {
        return List.copyOf(commands);
    }

    @Override
    void start() throws BenchException {
        Map<String, String> environment =
                Map.of(
                        "OVS_RUNDIR", setting.directory().toString(),
                        "OVS_LOGDIR", setting.directory().toString(),
                        "OVS_DBDIR", setting.directory().toString());
        Commands.run(note(List.of("ovsdb-tool", "create", file("conf.db"), SCHEMA)));
        database =
                new ChildProcess(
                        "ovsdb-server",
                        note(
                                List.of(
                                        "ovsdb-server",
                                        file("conf.db"),
                                        "--remote=punix:" + file("db.sock"),
                                        "--unixctl=" + file("ovsdb.ctl"))),
                        environment,
                        setting.directory().resolve(logName("ovsdb")));
        awaitSocket();
        vsctl("--no-wait", "init");
        // The main thread forwards for AF_PACKET; for AF_XDP it must leave the core to its poller.
        boolean polling = attachment().equals("afxdp");
        String cores = polling ? setting.bothCores() : Integer.toString(setting.deviceCore());
        start(
                note(
                        Commands.inside(
                                setting.netns(),
                                cores,
                                List.of(
                                        "ovs-vswitchd",
                                        "unix:" + file("db.sock"),
                                        "--unixctl=" + file("vswitchd.ctl")))),
                environment,
                logName("ovs"),
                "ovs-vswitchd (Open vSwitch)",
                READY_SECONDS);
        String mask = Long.toHexString(1L << setting.deviceCore());
        vsctl("set", "Open_vSwitch", ".", "other_config:pmd-cpu-mask=0x" + mask);
        vsctl("add-br", "br0", "--", "set", "bridge", "br0", "datapath_type=netdev");
        if (polling && !vsctl("get", "Open_vSwitch", ".", "iface_types").contains("afxdp")) {
            throw new BenchException("this build of Open vSwitch has no afxdp interfaces");
        }
        addPort(BenchNetwork.LEFT, polling);
        addPort(BenchNetwork.RIGHT, polling);
    }

    private void addPort(String name, boolean polling) throws BenchException {
        String afxdp =
                " -- set interface %s type=afxdp options:n_rxq=1 options:xdp-mode=native"
                        .formatted(name);
        vsctl(("add-port br0 " + name + (polling ? afxdp : "")).split(" "));
        String error = vsctl("get", "interface", name, "error").strip();
        if (!error.equals("[]")) {
            throw new BenchException("Open vSwitch cannot use " + name + ": " + error);
        }
    }

    private void awaitSocket() throws BenchException {
        for (int tries = 0; !setting.directory().resolve("db.sock").toFile().exists(); tries++) {
            if (tries == SOCKET_TRIES) {
                throw new BenchException("ovsdb-server does not open its socket");
            }
            Commands.pause(SOCKET_PAUSE_MS);
        }
    }

    private String vsctl(String... words) throws BenchException {
        List<String> command =
                new ArrayList<>(
                        List.of("ovs-vsctl", "--db=unix:" + file("db.sock"), "--timeout=10"));
        command.addAll(List.of(words));
        return Commands.run(note(command));
    }

    private List<String> note(List<String> command) {
        commands.add(String.join(" ", command));
        return command;
    }

    private String file(String name) {
        return setting.directory().resolve(name).toString();
    }

    private String logName(String program) {
        return program + "-" + attachment() + ".log";
    }

    @Override
    public void close() {
        super.close();
        if (database != null) {
            database.close();
        }
    }
}
