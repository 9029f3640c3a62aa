package io.headgate.testbed.lab;

import io.headgate.config.ConfigException;
import io.headgate.config.HostConfig;
import io.headgate.config.HostConfigReader;
import io.headgate.config.Quantity;
import io.headgate.config.SwitchConfig;
import io.headgate.config.SwitchConfigReader;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.BedPlan;

/** The switch of a lab, and its hosts: their configurations, from the lab's options. */
final class LabSwitch {
    /** With slots of this size frames up to 1,706 bytes of payload can be had. */
    private static final int SMALL_SLOT_MTU_BYTES = 1706;

    private static final int MIDDLE_SLOT_MTU_BYTES = 3754;

    /**
     * At 100 Mb/s what short frames bring in 55 ms: a little more than lossless labs allow a worker
     * to be held for.
     */
    private static final int LOSSLESS_RING_FRAMES = 8192;

    private static final long LEAST_RATE_BPS = 1_000_000;

    private LabSwitch() {}

    /**
     * The configuration, as a file would have it, and read by the same reader.
     *
     * @param more further settings of all ports, each with a comma before it
     * @throws BedException if an option is out of its range, or the device does not carry the MTU
     */
    static SwitchConfig config(BedPlan plan, LabOptions options, String more) throws BedException {
        return config(plan, options, more, 1);
    }

    /**
     * The same with a slower link to the last host.
     *
     * @param share of the line rate that it has
     */
    static SwitchConfig config(BedPlan plan, LabOptions options, String more, double share)
            throws BedException {
        if (options.device() == LabOptions.DeviceKind.AFXDP
                && options.mtuBytes() > MIDDLE_SLOT_MTU_BYTES) {
            throw new BedException(
                    "AF_XDP carries an MTU of at most "
                            + MIDDLE_SLOT_MTU_BYTES
                            + " bytes, and the lab is to have one of "
                            + options.mtuBytes()
                            + "; give a smaller --mtu, or --device afpacket or tap");
        }
        try {
            return SwitchConfigReader.read(yaml(plan, options, more, share), "the lab's options");
        } catch (ConfigException e) {
            throw new BedException(e);
        }
    }

    /** The agent that gives every host its card. */
    static HostConfig hosts(BedPlan plan, LabOptions options, String more, double share)
            throws BedException {
        StringBuilder yaml = new StringBuilder("name: hosts\n");
        yaml.append("defaults: {rate: ").append(quoted(options.rate()));
        yaml.append(", mtu: ").append(options.mtuBytes()).append(more).append("}\n");
        yaml.append("hosts:\n");
        for (int host = 1; host <= plan.hosts(); host++) {
            String netns = quoted(plan.hostNetns(host));
            yaml.append("  - {name: ").append(netns);
            yaml.append(", tap: {interface: ").append(BedPlan.HOST_INTERFACE);
            yaml.append(", netns: ").append(netns);
            yaml.append("}, device: {afpacket: {interface: ").append(plan.agentInterface(host));
            yaml.append(", netns: ").append(quoted(plan.switchNetns())).append("}}");
            yaml.append(host == plan.hosts() ? slower(options, share) : "").append("}\n");
        }
        yaml.append("workers: {idle: ").append(quoted(options.idle())).append("}\n");
        try {
            return HostConfigReader.read(yaml.toString(), "the lab's options");
        } catch (ConfigException e) {
            throw new BedException(e);
        }
    }

    /** A rate of its own; nothing where the share is 1, or the rate is for the reader to refuse. */
    private static String slower(LabOptions options, double share) {
        Long rateBps = Quantity.RATE.parse(options.rate());
        return share == 1 || rateBps == null
                ? ""
                : ", rate: " + Math.max(LEAST_RATE_BPS, Math.round(share * rateBps)) + "bps";
    }

    private static String yaml(BedPlan plan, LabOptions options, String more, double share) {
        StringBuilder yaml = new StringBuilder();
        yaml.append("name: ").append(quoted(plan.switchNetns())).append('\n');
        yaml.append("seed: ").append(options.seed()).append('\n');
        yaml.append("defaults: {rate: ").append(quoted(options.rate()));
        yaml.append(", mtu: ").append(options.mtuBytes()).append(more).append("}\n");
        yaml.append("ports:\n");
        for (int host = 1; host <= plan.hosts(); host++) {
            yaml.append("  - {name: p").append(host).append(", device: {");
            yaml.append(device(plan, options.device(), host, !more.isEmpty()));
            yaml.append("}").append(host == plan.hosts() ? slower(options, share) : "");
            yaml.append("}\n");
        }
        yaml.append("memory: {slot: ").append(slot(options.mtuBytes())).append("}\n");
        yaml.append("workers: {layout: ").append(layout(options.workers()));
        yaml.append(", idle: ").append(quoted(options.idle())).append("}\n");
        return yaml.toString();
    }

    private static String device(
            BedPlan plan, LabOptions.DeviceKind kind, int host, boolean largeRing) {
        String where =
                kind == LabOptions.DeviceKind.TAP
                        ? "{interface: "
                                + BedPlan.HOST_INTERFACE
                                + ", netns: "
                                + quoted(plan.hostNetns(host))
                                + ", create: true}"
                        : "{interface: "
                                + plan.switchInterface(host)
                                + ", netns: "
                                + quoted(plan.switchNetns())
                                + (largeRing ? ", ring: " + LOSSLESS_RING_FRAMES : "")
                                + "}";
        return kind.word() + ": " + where;
    }

    private static String slot(int mtuBytes) {
        if (mtuBytes <= SMALL_SLOT_MTU_BYTES) {
            return "2KiB";
        }
        return mtuBytes <= MIDDLE_SLOT_MTU_BYTES ? "4KiB" : "16KiB";
    }

    /** A number stays a number. */
    private static String layout(String workers) {
        return workers.matches("[0-9]{1,9}") ? workers : quoted(workers);
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }
}
