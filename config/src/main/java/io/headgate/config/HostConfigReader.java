package io.headgate.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads the configuration of a host agent from YAML 1.2 (or JSON, which is YAML). Whatever is wrong
 * is told in one {@link ConfigException}, all of it at once; nothing else is thrown.
 */
public final class HostConfigReader {
    static final ConfigSchema SCHEMA =
            ConfigSchema.load(
                    HostConfigReader.class, "headgate-host.schema.json", SwitchConfigReader.SCHEMA);

    private static final int TRANSMIT_SLOTS = 4096;
    private static final int RECEIVE_SLOTS = 1024;
    private static final long BACKLOG_BYTES = 32_000_000;
    private static final int TAP_QUEUE_FRAMES = 8192;
    private static final long ANY_RATE_BPS = 400_000_000_000L;
    private static final DeviceConfig.Tap NO_TAP = new DeviceConfig.Tap("", null, true);

    private final YamlConfig yaml;
    private final SwitchBinder binder;

    private HostConfigReader(YamlConfig yaml) {
        this.yaml = yaml;
        this.binder = new SwitchBinder(yaml);
    }

    /**
     * Reads a file.
     *
     * @throws ConfigException with everything that is wrong
     */
    public static HostConfig read(Path file) {
        return new HostConfigReader(YamlConfig.read(file, SCHEMA)).bind();
    }

    /**
     * Reads a text.
     *
     * @param name what to call the text in messages, such as its file's name
     * @throws ConfigException with everything that is wrong
     */
    public static HostConfig read(String text, String name) {
        return new HostConfigReader(YamlConfig.read(text, name, SCHEMA)).bind();
    }

    private HostConfig bind() {
        List<HostConfig.Nic> nics = new ArrayList<>();
        Set<String> names = new HashSet<>();
        Set<DeviceConfig> devices = new HashSet<>();
        for (int i = 0; i < yaml.items("/hosts"); i++) {
            String at = Pointer.child("/hosts", i);
            HostConfig.Nic nic = nic(at);
            nics.add(nic);
            if (!names.add(nic.name()) && yaml.has(at + "/name")) {
                yaml.refuse(
                        at + "/name",
                        "a second host named " + Text.quote(nic.name()),
                        "each name once");
            }
            if (!nic.tap().equals(NO_TAP) && !devices.add(nic.tap())) {
                yaml.refuse(at + "/tap", "a TAP that another host has", "a TAP for each host");
            }
            if (!nic.device().equals(SwitchBinder.NO_DEVICE) && !devices.add(nic.device())) {
                yaml.refuse(
                        at + "/device", "a device that another host has", "a device for each host");
            }
        }
        HostConfig config = new HostConfig(yaml.text("/name", ""), nics, binder.workers());
        yaml.throwIfAny();
        return config;
    }

    private HostConfig.Nic nic(String at) {
        int mtuBytes = yaml.count(setting(at, "mtu"), ConfigDefaults.MTU_BYTES);
        long rateBps = yaml.quantity(setting(at, "rate"), Quantity.RATE, ConfigDefaults.RATE_BPS);
        DeviceConfig device =
                yaml.has(at + "/device") ? binder.device(at + "/device") : SwitchBinder.NO_DEVICE;
        switch (device) {
            case DeviceConfig.Virtual _, DeviceConfig.PcapFile _ ->
                    yaml.refuse(
                            at + "/device",
                            "a device that joins nothing real",
                            "afpacket, afxdp, tap, pcap, vxlan or memory");
            default -> {
                // All others join the host to something.
            }
        }
        int receiveSlots = yaml.count(setting(at, "receive-slots"), RECEIVE_SLOTS);
        TrafficBinder binds = new TrafficBinder(yaml, at, rateBps, mtuBytes);
        TrafficConfig traffic = binds.traffic();
        PortTraffic.End wire =
                new PortTraffic.End(traffic, binds.flowControl(traffic, receiveSlots));
        HostConfig.Nic nic =
                new HostConfig.Nic(
                        yaml.text(at + "/name", ""),
                        tap(at),
                        device,
                        rateBps,
                        yaml.quantity(setting(at, "receive-rate"), Quantity.RATE, ANY_RATE_BPS),
                        mtuBytes,
                        wire,
                        yaml.count(setting(at, "transmit-slots"), TRANSMIT_SLOTS),
                        receiveSlots,
                        holding(at, mtuBytes));
        PortConfig port =
                new PortConfig(
                        nic.name(),
                        device,
                        rateBps,
                        mtuBytes,
                        PortConfig.VlanConfig.DEFAULT,
                        Long.MAX_VALUE,
                        Long.MAX_VALUE,
                        Integer.MAX_VALUE,
                        List.of(),
                        traffic,
                        wire.flowControl());
        new FlowControlChecks(yaml, port, at).run();
        return nic;
    }

    private DeviceConfig.Tap tap(String at) {
        return yaml.has(at + "/tap") && binder.tap(at + "/tap") instanceof DeviceConfig.Tap tap
                ? tap
                : NO_TAP;
    }

    private HostConfig.Holding holding(String at, int mtuBytes) {
        long least = HostConfig.Holding.leastFloorBps(mtuBytes);
        String floorAt = setting(at, "floor");
        long floorBps = yaml.quantity(floorAt, Quantity.RATE, least);
        if (floorBps < least) {
            yaml.refuse(
                    floorAt,
                    Quantity.RATE.format(floorBps),
                    "at least "
                            + Quantity.RATE.format(least)
                            + ", or senders may stand still for milliseconds after they were let"
                            + " go");
        }
        return new HostConfig.Holding(
                Math.toIntExact(
                        yaml.quantity(setting(at, "backlog"), Quantity.SIZE, BACKLOG_BYTES)),
                floorBps,
                yaml.count(setting(at, "tap-queue"), TAP_QUEUE_FRAMES));
    }

    private String setting(String at, String key) {
        return SwitchBinder.setting(yaml, at, key);
    }
}
