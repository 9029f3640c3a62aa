package io.headgate.config.read;

import io.headgate.config.DetourNeeds;
import io.headgate.config.DeviceConfig;
import io.headgate.config.Devices;
import io.headgate.config.FlowControlConfig;
import io.headgate.config.Mechanism;
import io.headgate.config.MechanismRegistry;
import io.headgate.config.Mechanisms;
import io.headgate.config.MemoryConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.WorkerConfig;
import io.headgate.config.key.Quantity;
import io.headgate.config.key.Text;
import io.headgate.config.yaml.YamlConfig;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Checks the conditions between the values of a configuration; reports each problem at its place in
 * the file.
 */
final class SwitchChecks {
    /** Maximum length of a device's claim in a message: a name, and a namespace or addresses. */
    private static final int CLAIM_CHARACTERS = 240;

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
        pairsHaveTwoEnds();
        for (int i = 0; i < config.ports().size(); i++) {
            PortConfig port = config.ports().get(i);
            String at = YamlConfig.child("/ports", i);
            modeFits(port, at);
            thresholdHasAPool(port, at);
            memory.slotsCover(port, at);
            detourFits(i, at);
            if (isSound(config.ports().get(i))) {
                memory.framesFit(port, at);
            }
        }
        segmentsFit();
        memory.shareCovers();
        memory.regionIsPossible();
        memory.payloadFits();
        domainOwnsAllQueues();
        new ForwardingChecks(yaml, config).run();
    }

    /**
     * Checks every port if one device passes TCP segments whole: frames of several may then come to
     * any port.
     */
    private void segmentsFit() {
        Optional<PortConfig> whole =
                config.ports().stream()
                        .filter(port -> port.device().kind().passesSegments())
                        .findFirst();
        if (whole.isEmpty()) {
            return;
        }
        String with = "gso: pass at port " + Text.shorten(whole.get().name());
        if (config.memory().slotBytes() != MemoryConfig.WHOLE_SLOT_BYTES) {
            yaml.refuse(
                    "/memory/slot",
                    Quantity.SIZE.format(config.memory().slotBytes()) + " with " + with,
                    "68KiB, which is the default then");
        }
        takeSegments("", config.mechanisms(), with);
        for (int i = 0; i < config.ports().size(); i++) {
            PortConfig port = config.ports().get(i);
            String at = YamlConfig.child("/ports", i);
            boolean passes = port.device().kind().passesSegments();
            if (passes && port.device() instanceof DeviceConfig.Faulty) {
                yaml.refuse(
                        at + "/device/faults",
                        "faults with gso: pass",
                        "none, because a fault applies to a single frame; or gso: none");
            }
            if (!passes && port.flowControl().mode() != FlowControlConfig.Mode.NONE) {
                yaml.refuse(
                        setting(yaml, at, "flow-control"),
                        port.flowControl().mode().name().toLowerCase(Locale.ROOT)
                                + " with "
                                + with
                                + " and none at this port",
                        "gso: pass at this port too, so that both ends of its link count the same"
                                + " frames; or none");
            }
            takeSegments(at, port.mechanisms(), with);
        }
    }

    /** Mechanisms that need single frames are refused. */
    private void takeSegments(String at, Mechanisms mechanisms, String with) {
        for (Mechanism.Kind kind : Mechanism.Kind.values()) {
            for (Mechanisms.Use use : mechanisms.of(kind)) {
                Mechanism<?> mechanism = MechanismRegistry.find(kind, use.name());
                if (mechanism != null && !mechanism.takesSegmentsWhole(use)) {
                    String key = at.isEmpty() ? "/" + kind.key() : setting(yaml, at, kind.key());
                    yaml.refuse(
                            YamlConfig.child(key, use.name()),
                            use.name() + " with " + with,
                            "none, because it needs single frames, but with gso: pass one frame may"
                                    + " carry many TCP segments; or gso: none at all ports");
                }
            }
        }
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
            yaml.refuse(
                    "/workers/layout",
                    isSpread ? Integer.toString(workers.count()) : "per-half",
                    ("auto or single, because domain: {%s: …} owns the egress of all ports and runs"
                                    + " on one worker")
                            .formatted(domain));
        }
        for (int i = 0; i < config.ports().size(); i++) {
            for (Mechanisms.Use queues :
                    config.ports().get(i).mechanisms().of(Mechanism.Kind.QUEUES)) {
                yaml.refuse(
                        setting(yaml, YamlConfig.child("/ports", i), Mechanism.Kind.QUEUES.key()),
                        queues.name(),
                        "none, because domain: {%s: …} queues the frames of all ports"
                                .formatted(domain));
            }
        }
    }

    /**
     * Refuses a threshold mechanism at a port without a shared pool, where it would never be asked.
     */
    private void thresholdHasAPool(PortConfig port, String at) {
        FlowControlConfig.Buffers buffers = port.flowControl().buffers();
        if (buffers != null && buffers.isDynamic()) {
            return;
        }
        for (Mechanisms.Use threshold : port.mechanisms().of(Mechanism.Kind.THRESHOLD)) {
            yaml.refuse(
                    setting(yaml, at, Mechanism.Kind.THRESHOLD.key()),
                    threshold.name(),
                    "none, because buffers without alpha have no shared pool; with buffers: {alpha:"
                            + " 1} it sets the part of the pool that a priority may hold");
        }
    }

    /**
     * Checks that a port has room for all frames that detours of other ports ask for, which may
     * come in here.
     */
    private void detourFits(int port, String at) {
        List<Mechanisms.Use> detour = mechanisms(port).of(Mechanism.Kind.DETOUR);
        if (detour.isEmpty()) {
            return;
        }
        String name = detour.getFirst().name();
        String where = YamlConfig.child(setting(yaml, at, Mechanism.Kind.DETOUR.key()), name);
        if (config.mechanisms().of(Mechanism.Kind.DOMAIN).stream()
                .anyMatch(Mechanisms.Use::isEnabled)) {
            yaml.refuse(
                    where,
                    name + " with queues of a domain",
                    "none, because a domain owns the queues that the frames would bypass");
        }
        int most = 0;
        for (int i = 0; i < config.ports().size(); i++) {
            most += i == port ? 0 : DetourNeeds.of(mechanisms(i)).broughtFrames();
        }
        int slots = DetourNeeds.of(mechanisms(port)).reservedSlots();
        if (slots < most) {
            yaml.refuse(
                    where,
                    "slots for %d frames per priority, but detours of other ports may bring %d"
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
                yaml.refuse(
                        YamlConfig.child("/ports", i) + "/name",
                        Text.quote(name) + ", the name of ports[" + before + "] too",
                        "a name that no other port has, such as p" + (i + 1));
            }
        }
    }

    private void devicesAreDistinct() {
        Map<String, Integer> first = new HashMap<>();
        for (int i = 0; i < config.ports().size(); i++) {
            String at = YamlConfig.child("/ports", i) + "/device";
            for (String claim : config.ports().get(i).device().kind().claims()) {
                Integer before = first.putIfAbsent(claim, i);
                if (before != null && before != i) {
                    yaml.refuse(
                            at,
                            Text.shorten(claim, CLAIM_CHARACTERS)
                                    + ", which ports["
                                    + before
                                    + "] has too",
                            "a device of its own for each port");
                }
            }
        }
    }

    private void pairsHaveTwoEnds() {
        Map<String, Integer> ends = new HashMap<>();
        for (PortConfig port : config.ports()) {
            String pair = port.device().kind().pair();
            if (pair != null) {
                ends.merge(pair, 1, Integer::sum);
            }
        }
        for (int i = 0; i < config.ports().size(); i++) {
            PortConfig port = config.ports().get(i);
            String pair = port.device().kind().pair();
            int count = pair == null ? 2 : ends.getOrDefault(pair, 0);
            if (isSound(port) && pair != null && count != 2) {
                yaml.refuse(
                        "%s/device/%s"
                                .formatted(
                                        YamlConfig.child("/ports", i), Devices.name(port.device())),
                        "pair "
                                + Text.quote(pair)
                                + " with "
                                + (count == 1 ? "1 end" : count + " ends"),
                        "the same pair on exactly two ports");
            }
        }
    }

    private void modeFits(PortConfig port, String at) {
        if (config.mode() == SwitchConfig.Mode.BRIDGE) {
            if (!port.addresses().isEmpty()) {
                yaml.refuse(
                        at + "/addresses",
                        "addresses in bridge mode",
                        "none (the switch's own is address: at the top), or mode: routed");
            }
            return;
        }
        if (port.addresses().isEmpty()) {
            yaml.refuse(
                    at + "/addresses",
                    "nothing in routed mode",
                    "an address with its prefix length, such as 10.0.1.1/24");
        }
        if (!port.vlan().equals(PortConfig.VlanConfig.DEFAULT)) {
            yaml.refuse(
                    setting(yaml, at, "vlan"), "a VLAN in routed mode", "none, or mode: bridge");
        }
    }

    /** Whether a port has a name and a device that further checks can build on. */
    private static boolean isSound(PortConfig port) {
        return !port.name().isEmpty() && !port.device().equals(DeviceConfig.none());
    }

    /** The place of a port's setting: at the port, otherwise in the defaults of all ports. */
    static String setting(YamlConfig yaml, String at, String key) {
        String own = YamlConfig.child(at, key);
        String common = YamlConfig.child("/defaults", key);
        return !yaml.isGiven(own) && yaml.isGiven(common) ? common : own;
    }
}
