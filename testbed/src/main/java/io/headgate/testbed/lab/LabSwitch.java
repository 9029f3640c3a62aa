package io.headgate.testbed.lab;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.ConfigException;
import io.headgate.config.HostConfig;
import io.headgate.config.HostConfigReader;
import io.headgate.config.Quantity;
import io.headgate.config.SwitchConfig;
import io.headgate.config.SwitchConfigReader;
import io.headgate.dataplane.queue.WireFormat;
import io.headgate.testbed.netns.BedException;
import io.headgate.testbed.netns.BedPlan;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The switch of a lab, and its hosts: their configurations, from the lab's options. */
final class LabSwitch {
    /** With slots of this size frames up to 1,706 bytes of payload can be had. */
    private static final int SMALL_SLOT_MTU_BYTES = 1706;

    private static final int MIDDLE_SLOT_MTU_BYTES = 3754;

    /** How long lossless labs allow a worker to be held for, in ms. */
    static final int HELD_MS = 50;

    private static final long MS_PER_SECOND = 1000;

    private static final long LEAST_RATE_BPS = 1_000_000;

    private LabSwitch() {}

    /**
     * The configuration, as a file would have it, and read by the same reader.
     *
     * @throws BedException if an option is out of its range, or the device does not carry the MTU
     */
    static SwitchConfig config(BedPlan plan, LabOptions options) throws BedException {
        return read(plan, options, "", "", 1);
    }

    /**
     * The same for a lab that may lose nothing while a worker is held for {@link #HELD_MS}.
     *
     * @param more further settings of all ports, each with a comma before it
     * @param share of the line rate that the link to the last host has
     */
    static SwitchConfig lossless(BedPlan plan, LabOptions options, String more, double share)
            throws BedException {
        String ring = ", ring: " + ringFrames(Quantity.RATE.parse(options.rate()));
        return read(plan, options, more, ring, share);
    }

    /** What short frames bring while a worker is held, as a power of two that a ring may have. */
    private static int ringFrames(@Nullable Long rateBps) {
        int shortest = WireFormat.ETHERNET.wireBytes(0);
        long frames =
                rateBps == null ? 1 : rateBps / Byte.SIZE * HELD_MS / MS_PER_SECOND / shortest;
        int ring = ConfigDefaults.AF_PACKET_RING_FRAMES;
        while (ring < frames && ring < ConfigDefaults.MAX_RING_FRAMES) {
            ring *= 2;
        }
        return ring;
    }

    private static SwitchConfig read(
            BedPlan plan, LabOptions options, String more, String ring, double share)
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
            return SwitchConfigReader.read(
                    yaml(plan, options, more, ring, share), "the lab's options");
        } catch (ConfigException e) {
            throw wrong(e);
        }
    }

    /** In the words of the command line: nobody wrote the text that the reader found fault with. */
    private static BedException wrong(ConfigException found) {
        return new BedException(
                found.problems().stream()
                        .map(problem ->
                                option(problem.path())
                                        + ": found "
                                        + problem.found()
                                        + "; allowed: "
                                        + problem.allowed())
                        .distinct()
                        .collect(Collectors.joining("; ")),
                found);
    }

    private static String option(String path) {
        return switch (path) {
            case "defaults.rate" -> "--rate";
            case "workers.layout" -> "--workers";
            case "workers.idle" -> "--idle";
            default -> "the lab's options: " + path;
        };
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
            throw wrong(e);
        }
    }

    /** A rate of its own; nothing where the share is 1, or the rate is for the reader to refuse. */
    private static String slower(LabOptions options, double share) {
        Long rateBps = Quantity.RATE.parse(options.rate());
        return share == 1 || rateBps == null
                ? ""
                : ", rate: " + Math.max(LEAST_RATE_BPS, Math.round(share * rateBps)) + "bps";
    }

    private static String yaml(
            BedPlan plan, LabOptions options, String more, String ring, double share) {
        StringBuilder yaml = new StringBuilder();
        yaml.append("name: ").append(quoted(plan.switchNetns())).append('\n');
        yaml.append("seed: ").append(options.seed()).append('\n');
        yaml.append("defaults: {rate: ").append(quoted(options.rate()));
        yaml.append(", mtu: ").append(options.mtuBytes()).append(more).append("}\n");
        yaml.append("ports:\n");
        for (int host = 1; host <= plan.hosts(); host++) {
            yaml.append("  - {name: p").append(host).append(", device: {");
            yaml.append(device(plan, options.device(), host, ring));
            yaml.append("}").append(host == plan.hosts() ? slower(options, share) : "");
            yaml.append("}\n");
        }
        yaml.append("memory: {slot: ").append(slot(options.mtuBytes())).append("}\n");
        yaml.append("workers: {layout: ").append(layout(options.workers()));
        yaml.append(", idle: ").append(quoted(options.idle())).append("}\n");
        return yaml.toString();
    }

    private static String device(BedPlan plan, LabOptions.DeviceKind kind, int host, String ring) {
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
                                + ring
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
