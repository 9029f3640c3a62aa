package io.headgate.config;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Makes records of what one port's configuration says of priorities and flow control. Values that
 * are not given follow from the port's rate and MTU.
 */
final class TrafficBinder {
    private static final int PRIORITIES = TrafficConfig.PRIORITIES;

    private final YamlConfig values;
    private final String at;
    private final long rateBps;
    private final int mtuBytes;
    private final FlowControlConfig.Link linkDefaults;

    /** For a port of a switch of our own. */
    TrafficBinder(YamlConfig values, String at, long rateBps, int mtuBytes) {
        this(values, at, rateBps, mtuBytes, FlowControlConfig.Link.DEFAULT);
    }

    /**
     * @param link what the link and both its ends take to react where the file does not say
     */
    TrafficBinder(
            YamlConfig values, String at, long rateBps, int mtuBytes, FlowControlConfig.Link link) {
        this.values = values;
        this.linkDefaults = link;
        this.at = at;
        this.rateBps = rateBps;
        this.mtuBytes = mtuBytes;
    }

    // ---- priorities

    TrafficConfig traffic() {
        TrafficConfig defaults = TrafficConfig.DEFAULT;
        String classifyAt = setting("classify");
        return new TrafficConfig(
                values.choice(classifyAt + "/trust", defaults.trust()),
                values.count(classifyAt + "/default", defaults.defaultPriority()),
                pcpTable(classifyAt + "/pcp"),
                dscpTable(classifyAt + "/dscp"),
                lossless(),
                weights(setting("scheduler")),
                rateLimits(setting("priority-rates")));
    }

    private List<Integer> pcpTable(String tableAt) {
        List<Integer> table = new ArrayList<>(TrafficConfig.DEFAULT.priorityOfPcp());
        for (int pcp = 0; pcp < Math.min(PRIORITIES, values.items(tableAt)); pcp++) {
            table.set(pcp, values.count(Pointer.child(tableAt, pcp), pcp));
        }
        return table;
    }

    private List<Integer> dscpTable(String tableAt) {
        List<Integer> table = new ArrayList<>(TrafficConfig.DEFAULT.priorityOfDscp());
        TreeSet<Integer> seen = new TreeSet<>();
        for (int i = 0; i < values.items(tableAt); i++) {
            String rowAt = Pointer.child(tableAt, i);
            int priority = values.count(rowAt + "/priority", 0);
            for (int j = 0; j < values.items(rowAt + "/values"); j++) {
                String valueAt = Pointer.child(rowAt + "/values", j);
                dscps(valueAt, priority, table, seen);
            }
        }
        return table;
    }

    private void dscps(String valueAt, int priority, List<Integer> table, Set<Integer> seen) {
        if (!values.has(valueAt)) {
            return;
        }
        int first;
        int last;
        if (values.scalar(valueAt) instanceof String range) {
            int dash = range.indexOf('-');
            first = Integer.parseInt(range.substring(0, dash));
            last = Integer.parseInt(range.substring(dash + 1));
        } else {
            first = values.count(valueAt, 0);
            last = first;
        }
        if (first > last || last >= TrafficConfig.DSCPS) {
            values.refuse(valueAt, first + "-" + last, "DSCPs from 0 to 63, such as 26 or 24-31");
            return;
        }
        for (int dscp = first; dscp <= last; dscp++) {
            if (!seen.add(dscp)) {
                values.refuse(valueAt, "DSCP " + dscp + " a second time", "each DSCP once");
                return;
            }
            table.set(dscp, priority);
        }
    }

    List<Integer> lossless() {
        String losslessAt = setting("lossless");
        if (values.isList(losslessAt) && isOwnOrUsed(losslessAt)) {
            TreeSet<Integer> given = new TreeSet<>();
            for (int i = 0; i < values.items(losslessAt); i++) {
                given.add(values.count(Pointer.child(losslessAt, i), 0));
            }
            return List.copyOf(given);
        }
        return switch (mode()) {
            case NONE -> List.of();
            case PFC, CREDITS -> List.of(3);
            case PAUSE -> List.of(0, 1, 2, 3, 4, 5, 6, 7);
        };
    }

    /** What the defaults of all ports say of flow control does not concern a port without it. */
    private boolean isOwnOrUsed(String settingAt) {
        return mode() != FlowControlConfig.Mode.NONE || settingAt.startsWith(at + "/");
    }

    private List<Integer> weights(String schedulerAt) {
        if (values.isList(schedulerAt)) {
            List<Integer> weights = new ArrayList<>();
            for (int i = 0; i < PRIORITIES; i++) {
                weights.add(values.count(Pointer.child(schedulerAt, i), TrafficConfig.STRICT));
            }
            return weights;
        }
        boolean equal = values.text(schedulerAt, "strict").equals("dwrr");
        return Collections.nCopies(PRIORITIES, equal ? 1 : TrafficConfig.STRICT);
    }

    private List<Long> rateLimits(String ratesAt) {
        List<Long> limits = new ArrayList<>(TrafficConfig.DEFAULT.rateLimitsBps());
        for (int i = 0; i < values.items(ratesAt); i++) {
            String rowAt = Pointer.child(ratesAt, i);
            int priority = values.count(rowAt + "/priority", 0);
            long limit = values.quantity(rowAt + "/rate", Quantity.RATE, TrafficConfig.UNLIMITED);
            if (limits.get(priority) != TrafficConfig.UNLIMITED) {
                values.refuse(
                        rowAt + "/priority",
                        "priority " + priority + " a second time",
                        "each priority once");
            }
            limits.set(priority, limit);
        }
        return limits;
    }

    // ---- flow control

    FlowControlConfig.Mode mode() {
        return values.choice(setting("flow-control"), FlowControlConfig.Mode.NONE);
    }

    /**
     * Binds flow control.
     *
     * @param slots what the port has beside its device's ring; a pool takes of it what is left
     */
    FlowControlConfig flowControl(TrafficConfig traffic, int slots) {
        FlowControlConfig.Mode mode = mode();
        return switch (mode) {
            case NONE -> FlowControlConfig.NONE;
            case PFC, PAUSE ->
                    new FlowControlConfig(
                            mode,
                            link(),
                            buffers(traffic.lossless().size(), slots),
                            pause(),
                            null,
                            watchdog());
            case CREDITS -> new FlowControlConfig(mode, link(), null, null, credits(), watchdog());
        };
    }

    /** Slots that flow control takes of a port's, pool included. */
    int slotsFor(FlowControlConfig flowControl, int lossless) {
        FlowControlConfig.Buffers buffers = flowControl.buffers();
        FlowControlConfig.Credits credits = flowControl.credits();
        if (buffers != null) {
            return lossless * buffers.promisedSlots();
        }
        return credits == null ? 0 : lossless * credits.bufferSlots();
    }

    /** The least slots that flow control needs. */
    long neededSlots() {
        int lossless = lossless().size();
        return switch (mode()) {
            case NONE -> 0;
            case PFC, PAUSE -> {
                FlowControlConfig.Buffers buffers = buffers(lossless, 0);
                yield (long) lossless * buffers.promisedSlots() + buffers.sharedSlots();
            }
            case CREDITS -> (long) lossless * credits().bufferSlots();
        };
    }

    private FlowControlConfig.Link link() {
        FlowControlConfig.Link defaults = linkDefaults;
        String linkAt = setting("link");
        return new FlowControlConfig.Link(
                values.quantity(linkAt + "/delay", Quantity.DURATION, defaults.delayNs()),
                values.quantity(
                        linkAt + "/own-reaction", Quantity.DURATION, defaults.ownReactionNs()),
                values.quantity(
                        linkAt + "/peer-reaction", Quantity.DURATION, defaults.peerReactionNs()));
    }

    private FlowControlConfig.Buffers buffers(int lossless, int slots) {
        String buffersAt = setting("buffers");
        int frameBytes = ConfigDefaults.maxFrameBytes(mtuBytes);
        Headroom needed = new Headroom(rateBps, mtuBytes, link());
        long headroomBytes =
                values.quantity(buffersAt + "/headroom", Quantity.SIZE, needed.bytes());
        int headroomSlots = values.count(buffersAt + "/headroom-slots", needed.slots());
        long xoffBytes =
                values.quantity(buffersAt + "/xoff", Quantity.SIZE, ConfigDefaults.XOFF_BYTES);
        Integer alpha = alpha(buffersAt + "/alpha");
        if (alpha == null) {
            int xoffSlots =
                    values.count(
                            buffersAt + "/xoff-slots",
                            ConfigDefaults.slotsFor(xoffBytes, mtuBytes));
            long xonBytes = Math.max(0, xoffBytes - 2L * frameBytes);
            int xonSlots = xoffSlots - Math.ceilDiv(xoffSlots, 8);
            return FlowControlConfig.Buffers.fixed(
                    xoffBytes,
                    xoffSlots,
                    values.quantity(buffersAt + "/xon", Quantity.SIZE, xonBytes),
                    values.count(buffersAt + "/xon-slots", xonSlots),
                    headroomBytes,
                    headroomSlots);
        }
        int reservedSlots = values.count(buffersAt + "/reserved-slots", 8);
        long promised = (long) lossless * (headroomSlots + reservedSlots);
        int sharedSlots =
                values.count(
                        buffersAt + "/shared-slots", Math.clamp(slots - promised, 64, 1 << 20));
        return new FlowControlConfig.Buffers(
                0,
                0,
                values.quantity(buffersAt + "/xon", Quantity.SIZE, 2L * frameBytes),
                values.count(buffersAt + "/xon-slots", 2),
                headroomBytes,
                headroomSlots,
                alpha,
                values.quantity(
                        buffersAt + "/reserved", Quantity.SIZE, (long) reservedSlots * frameBytes),
                reservedSlots,
                values.quantity(
                        buffersAt + "/shared", Quantity.SIZE, (long) sharedSlots * frameBytes),
                sharedSlots);
    }

    /** The exponent of 2 in {@code 1/8} or {@code 4}; null where thresholds are static. */
    private @Nullable Integer alpha(String alphaAt) {
        Object value = values.scalar(alphaAt);
        if (value instanceof BigInteger number) {
            return number.bitLength() - 1;
        }
        if (value instanceof String text && text.startsWith("1/")) {
            return 1 - new BigInteger(text.substring(2)).bitLength();
        }
        return null;
    }

    private FlowControlConfig.Pause pause() {
        String pauseAt = setting("pause");
        int quanta = values.count(pauseAt + "/quanta", ConfigDefaults.PAUSE_QUANTA);
        long refreshNs = Math.max(1, ConfigDefaults.pauseNs(quanta, rateBps) / 4);
        return new FlowControlConfig.Pause(
                quanta, values.quantity(pauseAt + "/refresh", Quantity.DURATION, refreshNs));
    }

    private FlowControlConfig.Credits credits() {
        String creditsAt = setting("credits");
        int scale = values.count(creditsAt + "/block-scale", ConfigDefaults.BLOCK_SCALE);
        long bufferBytes =
                values.quantity(
                        creditsAt + "/buffer", Quantity.SIZE, ConfigDefaults.CREDIT_BUFFER_BYTES);
        int blocks = Math.clamp(bufferBytes / (64 << scale), 1, 1 << 20);
        return new FlowControlConfig.Credits(
                values.choice(creditsAt + "/update", FlowControlConfig.Credits.Update.ON_CHANGE),
                values.quantity(creditsAt + "/period", Quantity.DURATION, 1_000_000),
                values.quantity(creditsAt + "/min-gap", Quantity.DURATION, 20_000),
                scale,
                bufferBytes,
                values.count(creditsAt + "/buffer-slots", blocks));
    }

    private FlowControlConfig.@Nullable Watchdog watchdog() {
        String watchdogAt = setting("watchdog");
        if (!values.has(watchdogAt)) {
            return null;
        }
        FlowControlConfig.Watchdog defaults = ConfigDefaults.WATCHDOG;
        return new FlowControlConfig.Watchdog(
                values.choice(watchdogAt + "/action", defaults.action()),
                values.quantity(
                        watchdogAt + "/detection", Quantity.DURATION, defaults.detectionNs()),
                values.quantity(
                        watchdogAt + "/restoration", Quantity.DURATION, defaults.restorationNs()),
                values.quantity(watchdogAt + "/poll", Quantity.DURATION, defaults.pollNs()));
    }

    private String setting(String key) {
        return SwitchBinder.setting(values, at, key);
    }
}
