package io.headgate.testbed.conform;

import io.headgate.config.FlowControlConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.TrafficConfig;
import io.headgate.control.report.Json;
import io.headgate.dataplane.congestion.RedConfig;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A port, with the results that frames of the largest size must have there.
 *
 * @param poolBytes bytes that all ports share; 0: none
 */
record SonicPortCase(PortConfig config, long poolBytes) {
    private static final Set<String> OF_LINKS = Set.of("name", "device", "rate", "mtu", "vlan");
    private static final int ETHERNET_HEADER_BYTES = 14;
    private static final int MOST_SENDERS = 16;
    private static final int QUEUED_FRAMES = 800;
    private static final int SURELY_MARKED = 20;
    private static final int LEAST_FRAME_BYTES = 256;

    /** Of this number half and double lie 3 standard deviations beyond what passes. */
    private static final double TELLING_MARKS = 120;

    private static final long MOST_ROUNDS = 100;

    private TrafficConfig traffic() {
        return config.traffic();
    }

    private List<Integer> lossless() {
        return config.flowControl().mode() == FlowControlConfig.Mode.PFC
                ? traffic().lossless()
                : List.of();
    }

    private int frameBytes() {
        return config.mtuBytes() + ETHERNET_HEADER_BYTES;
    }

    /** The first code point that leads to a priority; negative if none does. */
    private int code(int priority) {
        return traffic().classify().trust() == TrafficConfig.Trust.DSCP
                ? traffic().classify().priorityOfDscp().indexOf(priority)
                : -1;
    }

    private List<Integer> reached(boolean isLossless) {
        return IntStream.range(0, TrafficConfig.PRIORITIES)
                .filter(priority -> lossless().contains(priority) == isLossless)
                .filter(priority -> code(priority) >= 0)
                .boxed()
                .toList();
    }

    /** Why a case cannot judge it; empty: it can. */
    String lacks(String number) {
        FlowControlConfig.Buffers buffers = config.flowControl().buffers();
        if (lossless().isEmpty() || buffers == null) {
            return "is not judged: pfc_enable names no priority";
        }
        if (traffic().classify().trust() != TrafficConfig.Trust.DSCP) {
            return "is not judged: the switch classifies by tags, but the frames of this port have"
                    + " none";
        }
        if (reached(true).isEmpty() || reached(false).isEmpty()) {
            return "is not judged: all code points map to lossless priorities, or all to lossy"
                    + " ones";
        }
        if (buffers.isDynamic() && poolBytes == 0) {
            return "is not judged: ingress_lossless_pool has no size";
        }
        if (number.equals("c22") && config.flowControl().watchdog() == null) {
            return "is not judged: PFC_WD has no entry for it";
        }
        if (!number.equals("c38")) {
            return "";
        }
        RedConfig red = config.mechanisms().get(RedConfig.class);
        return red == null
                ? "is not judged: no queue has a WRED_PROFILE with ecn"
                : marked(red).isEmpty() || senders(red) == 0
                        ? "is not judged: its queue cannot reach the lengths in its WRED_PROFILE"
                        : "";
    }

    /** Maximum bytes that one of several greedy priorities may hold. */
    private double share(int accounts) {
        FlowControlConfig.Buffers buffers = buffers();
        Integer exponent = buffers.alphaExponent();
        if (exponent == null) {
            return buffers.xoffBytes();
        }
        double alpha = StrictMath.scalb(1.0, exponent);
        return buffers.reservedBytes() + poolBytes * alpha / (1 + accounts * alpha);
    }

    private FlowControlConfig.Buffers buffers() {
        FlowControlConfig.Buffers buffers = config.flowControl().buffers();
        if (buffers == null) {
            throw new IllegalStateException("no buffers at " + config.name());
        }
        return buffers;
    }

    /** The number of the frame that reaches the threshold. */
    private long crossing() {
        return (long) Math.ceil(share(1) / frameBytes());
    }

    /** Frames that fit until the headroom is full. */
    private long full() {
        FlowControlConfig.Buffers buffers = buffers();
        int frame = frameBytes();
        Integer exponent = buffers.alphaExponent();
        if (exponent == null) {
            return (buffers.xoffBytes() + buffers.headroomBytes()) / frame;
        }
        // The frame that crosses may lie in the pool still, or in the headroom.
        double alpha = StrictMath.scalb(1.0, exponent);
        long crossing = crossing();
        long before = Math.max(0, (crossing - 1) * frame - buffers.reservedBytes());
        boolean fits =
                crossing * frame - buffers.reservedBytes()
                        <= Math.floor(alpha * (poolBytes - before));
        return (fits ? crossing : crossing - 1) + buffers.headroomBytes() / frame;
    }

    /** How many of the frames up to the threshold must leave until the pause ends. */
    private long leaving() {
        FlowControlConfig.Buffers buffers = buffers();
        Integer exponent = buffers.alphaExponent();
        double resume = buffers.xonBytes();
        if (exponent != null) {
            double alpha = StrictMath.scalb(1.0, exponent);
            resume =
                    buffers.reservedBytes()
                            + Math.max(0, (alpha * poolBytes - buffers.xonBytes()) / (1 + alpha));
        }
        return Math.max(1, crossing() - (long) Math.floor(resume / frameBytes()));
    }

    // ---- marks

    private List<Integer> marked(RedConfig red) {
        return red.priorities().stream().filter(priority -> code(priority) >= 0).toList();
    }

    private int markedFrameBytes(RedConfig red) {
        long even = Math.max(red.kmaxBytes() / QUEUED_FRAMES, LEAST_FRAME_BYTES);
        return Math.clamp(even, frameBytes() / 4 + 1, frameBytes());
    }

    private long markedFrames(RedConfig red) {
        return Math.ceilDiv(red.kmaxBytes(), markedFrameBytes(red)) + SURELY_MARKED;
    }

    /** The least number of senders whose frames can make the queue long enough; 0: none. */
    private int senders(RedConfig red) {
        if (marked(red).stream().noneMatch(lossless()::contains)) {
            return 2;
        }
        long bytes = markedFrames(red) * markedFrameBytes(red);
        return IntStream.rangeClosed(1, MOST_SENDERS)
                .filter(senders -> senders * share(senders) * 0.9 >= bytes)
                .findFirst()
                .orElse(0);
    }

    /** Number of times that the queue fills and drains, so that its marks show the probability. */
    private long rounds(RedConfig red) {
        double marks = red.pmax() * (red.kmaxBytes() - red.kminBytes()) / markedFrameBytes(red) / 2;
        return marks == 0 ? 1 : Math.clamp((long) Math.ceil(TELLING_MARKS / marks), 1, MOST_ROUNDS);
    }

    // ---- what stands in the cases

    Map<String, String> values(Map<String, Object> keys) {
        Map<String, String> values = new LinkedHashMap<>();
        Map<String, Object> ports = new LinkedHashMap<>(keys);
        ports.keySet().removeAll(OF_LINKS);
        ports.remove("link");
        ports.put("link-control", Map.of("hold", Map.of()));
        values.put("ports", Json.COMPACT.writeValueAsString(ports));
        values.put("memory", poolBytes == 0 ? "" : "memory: {shared: " + poolBytes + "B}");
        values.put("rate", config.rateBps() + "bps");
        values.put("mtu", String.valueOf(config.mtuBytes()));
        values.put("frame", String.valueOf(frameBytes()));
        values.put("delay", String.valueOf(config.flowControl().link().delayNs()));
        if (!lacks("c14").isEmpty()) {
            return values;
        }
        ofPriorities(values);
        values.put("crossing", String.valueOf(crossing()));
        values.put("full", String.valueOf(full()));
        values.put("leaving", String.valueOf(leaving()));
        ofWatchdog(values, config.flowControl().watchdog());
        ofMarks(values, config.mechanisms().get(RedConfig.class));
        return values;
    }

    private void ofPriorities(Map<String, String> values) {
        List<Integer> lossless = reached(true);
        List<Integer> lossy = reached(false);
        values.put("lossless", lossless.toString());
        values.put("lossless-count", String.valueOf(lossless.size()));
        values.put("lossless-codes", lossless.stream().map(this::code).toList().toString());
        values.put("lossy", lossy.toString());
        values.put("lossy-codes", lossy.stream().map(this::code).toList().toString());
        values.put("first", String.valueOf(lossless.getFirst()));
        values.put("first-code", String.valueOf(code(lossless.getFirst())));
        values.put("lossless-words", words(lossless));
        values.put("priorities", traffic().classify().priorityOfDscp().toString());
        values.put("least-frame", String.valueOf(LEAST_FRAME_BYTES));
        String code = "-1";
        for (int priority = 0; priority < TrafficConfig.PRIORITIES; priority++) {
            code = "if($p = " + priority + ", " + code(priority) + ", " + code + ")";
        }
        values.put("code-of-p", code);
    }

    private static String words(List<Integer> priorities) {
        return priorities.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    private static void ofWatchdog(
            Map<String, String> values, FlowControlConfig.@Nullable Watchdog watchdog) {
        if (watchdog != null) {
            values.put("action", watchdog.action().name().toLowerCase(Locale.ROOT));
            values.put("detection", String.valueOf(watchdog.detectionNs()));
            values.put("restoration", String.valueOf(watchdog.restorationNs()));
            values.put("poll", String.valueOf(watchdog.pollNs()));
        }
    }

    private void ofMarks(Map<String, String> values, @Nullable RedConfig red) {
        if (red == null || senders(red) == 0) {
            return;
        }
        int senders = senders(red);
        values.put("kmin", String.valueOf(red.kminBytes()));
        values.put("kmax", String.valueOf(red.kmaxBytes()));
        values.put("percent", String.valueOf(Math.round(100 * red.pmax())));
        values.put("marked-words", words(marked(red)));
        values.put("rounds", String.valueOf(rounds(red)));
        values.put("marked-frame", String.valueOf(markedFrameBytes(red)));
        values.put("senders", String.valueOf(senders));
        values.put("receiver", String.valueOf(senders + 1));
        values.put("each", String.valueOf(Math.ceilDiv(markedFrames(red), senders)));
        values.put(
                "queue-limit",
                String.valueOf(2 * markedFrames(red) * markedFrameBytes(red) + frameBytes()));
    }
}
