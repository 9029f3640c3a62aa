package io.headgate.config.read;

import io.headgate.config.Addresses;
import io.headgate.config.DetourNeeds;
import io.headgate.config.DeviceConfig;
import io.headgate.config.FlowControlConfig;
import io.headgate.config.Mechanism;
import io.headgate.config.Mechanisms;
import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.WorkerConfig;
import io.headgate.config.key.Text;
import io.headgate.config.yaml.YamlConfig;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What must hold between the values of a configuration, each told where it stands in the file. */
final class SwitchChecks {
    private final YamlConfig yaml;
    private final SwitchConfig config;

    SwitchChecks(YamlConfig yaml, SwitchConfig config) {
        this.yaml = yaml;
        this.config = config;
    }

    void run() {
        MemoryChecks memory = new MemoryChecks(yaml, config);
        portNamesAreUnique();
        devicesAreDistinct();
        memoryPairsHaveTwoEnds();
        for (int i = 0; i < config.ports().size(); i++) {
            PortConfig port = config.ports().get(i);
            String at = YamlConfig.child("/ports", i);
            modeFits(port, at);
            thresholdHasAPool(port, at);
            memory.slotsCover(port, at);
            detourFits(i, at);
            if (isSound(config.ports().get(i))) {
                memory.framesFit(port, at);
                deviceIsPossible(port.device(), at + "/device");
            }
        }
        memory.shareCovers();
        memory.regionIsPossible();
        memory.payloadFits();
        domainOwnsAllQueues();
        new ForwardingChecks(yaml, config).run();
    }

    private void domainOwnsAllQueues() {
        for (Mechanisms.Use domain : config.mechanisms().of(Mechanism.Kind.DOMAIN)) {
            if (domain.isEnabled()) {
                goesWith(domain.name());
            }
        }
    }

    private void goesWith(String domain) {
        WorkerConfig workers = config.workers();
        boolean isSpread = workers.layout() == WorkerConfig.Layout.COUNT && workers.count() > 1;
        if (isSpread || workers.layout() == WorkerConfig.Layout.PER_HALF) {
            refuse(
                    "/workers/layout",
                    isSpread ? Integer.toString(workers.count()) : "per-half",
                    ("auto or single, because domain: {%s: …} owns the egress of all ports and runs"
                                    + " on one worker")
                            .formatted(domain));
        }
        for (int i = 0; i < config.ports().size(); i++) {
            for (Mechanisms.Use queues :
                    config.ports().get(i).mechanisms().of(Mechanism.Kind.QUEUES)) {
                refuse(
                        setting(yaml, YamlConfig.child("/ports", i), Mechanism.Kind.QUEUES.key()),
                        queues.name(),
                        "none, because domain: {%s: …} queues the frames of all ports"
                                .formatted(domain));
            }
        }
    }

    /** Without one it would never be asked. */
    private void thresholdHasAPool(PortConfig port, String at) {
        FlowControlConfig.Buffers buffers = port.flowControl().buffers();
        if (buffers != null && buffers.isDynamic()) {
            return;
        }
        for (Mechanisms.Use threshold : port.mechanisms().of(Mechanism.Kind.THRESHOLD)) {
            refuse(
                    setting(yaml, at, Mechanism.Kind.THRESHOLD.key()),
                    threshold.name(),
                    "none, because buffers without alpha share no pool; beside buffers: {alpha: 1}"
                            + " it says how much of the pool a priority may hold");
        }
    }

    /** All that detours of other ports ask for may come in by this one. */
    private void detourFits(int port, String at) {
        List<Mechanisms.Use> detour = mechanisms(port).of(Mechanism.Kind.DETOUR);
        if (detour.isEmpty()) {
            return;
        }
        String name = detour.getFirst().name();
        String where = YamlConfig.child(setting(yaml, at, Mechanism.Kind.DETOUR.key()), name);
        if (config.mechanisms().of(Mechanism.Kind.DOMAIN).stream()
                .anyMatch(Mechanisms.Use::isEnabled)) {
            refuse(
                    where,
                    name + " with queues of a domain",
                    "none, because a domain owns the queues that frames would leave");
        }
        int most = 0;
        for (int i = 0; i < config.ports().size(); i++) {
            most += i == port ? 0 : DetourNeeds.of(mechanisms(i)).broughtFrames();
        }
        int slots = DetourNeeds.of(mechanisms(port)).reservedSlots();
        if (slots < most) {
            refuse(
                    where,
                    "slots for %d frames of a priority, and detours of other ports may bring %d"
                            .formatted(slots, most),
                    "slots for at least " + most);
        }
    }

    private Mechanisms mechanisms(int port) {
        return config.ports().get(port).mechanisms();
    }

    private void portNamesAreUnique() {
        Map<String, Integer> first = new HashMap<>();
        for (int i = 0; i < config.ports().size(); i++) {
            String name = config.ports().get(i).name();
            Integer before = name.isEmpty() ? null : first.putIfAbsent(name, i);
            if (before != null) {
                refuse(
                        YamlConfig.child("/ports", i) + "/name",
                        Text.quote(name) + ", the name of ports[" + before + "] too",
                        "a name that no other port has, such as p" + (i + 1));
            }
        }
    }

    private void devicesAreDistinct() {
        Map<Object, Integer> first = new HashMap<>();
        for (int i = 0; i < config.ports().size(); i++) {
            String at = YamlConfig.child("/ports", i) + "/device";
            for (Object place : places(config.ports().get(i).device())) {
                Integer before = first.putIfAbsent(place, i);
                if (before != null && before != i) {
                    refuse(
                            at,
                            place + ", which ports[" + before + "] has too",
                            "a device of its own for each port");
                }
            }
        }
    }

    /** What of the machine a device claims for itself. */
    private static List<Object> places(DeviceConfig device) {
        return switch (device) {
            case DeviceConfig.AfPacket d -> List.of(new Interface(d.interfaceName(), d.netns()));
            case DeviceConfig.AfXdp d -> List.of(new Interface(d.interfaceName(), d.netns()));
            case DeviceConfig.Tap d -> List.of(new Interface(d.interfaceName(), d.netns()));
            case DeviceConfig.PcapLive d -> List.of(new Interface(d.interfaceName(), d.netns()));
            case DeviceConfig.PcapFile d ->
                    d.output() == null ? List.of() : List.of(new Output(d.output()));
            case DeviceConfig.Vxlan d -> List.of(new Tunnel(d));
            case DeviceConfig.Memory _, DeviceConfig.Virtual _ -> List.of();
            case DeviceConfig.Faulty d -> places(d.device());
        };
    }

    private record Interface(String name, @Nullable String netns) {
        @Override
        public String toString() {
            return "interface " + name + inNamespace(netns);
        }
    }

    private static String inNamespace(@Nullable String netns) {
        return netns == null ? "" : " in namespace " + netns;
    }

    private record Tunnel(DeviceConfig.Vxlan vxlan) {
        @Override
        public String toString() {
            return "VXLAN %s from %s to %s%s"
                    .formatted(
                            vxlan.vni(),
                            Addresses.format(vxlan.local()),
                            Addresses.format(vxlan.remote()),
                            inNamespace(vxlan.netns()));
        }
    }

    private record Output(Path file) {
        @Override
        public String toString() {
            return "output " + Text.shorten(file.toString());
        }
    }

    private void memoryPairsHaveTwoEnds() {
        Map<String, Integer> ends = new HashMap<>();
        for (PortConfig port : config.ports()) {
            if (port.device().kind() instanceof DeviceConfig.Memory memory) {
                ends.merge(memory.pair(), 1, Integer::sum);
            }
        }
        for (int i = 0; i < config.ports().size(); i++) {
            if (isSound(config.ports().get(i))
                    && config.ports().get(i).device().kind()
                            instanceof DeviceConfig.Memory memory) {
                int count = ends.getOrDefault(memory.pair(), 0);
                if (count != 2) {
                    refuse(
                            YamlConfig.child("/ports", i) + "/device/memory",
                            "pair "
                                    + Text.quote(memory.pair())
                                    + " with "
                                    + (count == 1 ? "1 end" : count + " ends"),
                            "the same pair on exactly two ports");
                }
            }
        }
    }

    private void modeFits(PortConfig port, String at) {
        if (config.mode() == SwitchConfig.Mode.BRIDGE) {
            if (!port.addresses().isEmpty()) {
                refuse(
                        at + "/addresses",
                        "addresses in bridge mode",
                        "none (the switch's own is address: at the top), or mode: routed");
            }
            return;
        }
        if (port.addresses().isEmpty()) {
            refuse(
                    at + "/addresses",
                    "nothing in routed mode",
                    "an address with its prefix length, such as 10.0.1.1/24");
        }
        if (!port.vlan().equals(PortConfig.VlanConfig.DEFAULT)) {
            refuse(setting(yaml, at, "vlan"), "a VLAN in routed mode", "none, or mode: bridge");
        }
    }

    private void deviceIsPossible(DeviceConfig faulty, String at) {
        DeviceConfig device = faulty.kind();
        if (faulty instanceof DeviceConfig.Faulty && device instanceof DeviceConfig.Virtual) {
            refuse(
                    at + "/faults",
                    "faults of a link of the virtual test bed",
                    "another kind of device; such a link has faults of its own");
        }
        if (device instanceof DeviceConfig.Vxlan vxlan) {
            InetAddress local = vxlan.local().getAddress();
            InetAddress remote = vxlan.remote().getAddress();
            if (local.isMulticastAddress()) {
                refuse(at + "/vxlan/local", Addresses.format(local), "an address of this machine");
            }
            needsNoScope(local, at + "/vxlan/local");
            needsNoScope(remote, at + "/vxlan/remote");
            if (remote.isMulticastAddress() || remote.isAnyLocalAddress()) {
                refuse(at + "/vxlan/remote", Addresses.format(remote), "the address of one peer");
            } else if (Addresses.bits(local) != Addresses.bits(remote)) {
                refuse(
                        at + "/vxlan/remote",
                        Addresses.format(remote),
                        "an address of local's family, IPv4 or IPv6");
            } else if (vxlan.local().equals(vxlan.remote())) {
                refuse(
                        at + "/vxlan/remote",
                        "the local address",
                        "the address of another machine, or another port here");
            }
        } else if (device instanceof DeviceConfig.PcapFile file
                && file.input() != null
                && file.input().equals(file.output())) {
            refuse(at + "/pcap-file/output", "the input file", "another file than input");
        }
    }

    /** Only with its interface does such an address say where to send. */
    private void needsNoScope(InetAddress address, String at) {
        if (Addresses.bits(address) == 128 && address.isLinkLocalAddress()) {
            refuse(
                    at,
                    Addresses.format(address) + ", a link-local address",
                    "an address that is the same on every link, such as 2001:db8::1 or fd00::1");
        }
    }

    /** Whether a port has a name and a device that further checks can build on. */
    private static boolean isSound(PortConfig port) {
        return !port.name().isEmpty() && !port.device().equals(DeviceConfig.none());
    }

    /** Where a port's setting stands: at the port, else in the defaults of all ports. */
    static String setting(YamlConfig yaml, String at, String key) {
        String own = YamlConfig.child(at, key);
        String common = YamlConfig.child("/defaults", key);
        return !yaml.isGiven(own) && yaml.isGiven(common) ? common : own;
    }

    private void refuse(String at, String found, String allowed) {
        yaml.refuse(at, found, allowed);
    }
}
