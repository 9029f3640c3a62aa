package io.headgate.dataplane.gfc;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import io.headgate.config.Mechanisms;
import io.headgate.config.PortConfig;
import io.headgate.dataplane.linkcontrol.AccountsView;
import io.headgate.dataplane.linkcontrol.LinkReceiver;
import io.headgate.dataplane.queue.PriorityRates;
import java.lang.foreign.MemorySegment;

/**
 * The receiving end of GFC at a port: computes the report to the far end from the bytes that each
 * priority holds, and the rates of its own side from the far end's reports. Owned by the ingress
 * half.
 */
final class GfcReceiver implements LinkReceiver {
    /** Periods after which a report that is not repeated no longer holds. */
    static final int PERIODS = 4;

    private final int rated;
    private final long lineBps;
    private final GfcWords words;
    private GfcConfig config;
    private GfcStages stages;
    private GfcLine line;
    private long slotBytes;

    private final long[] told = new long[PRIORITIES];
    private boolean tells;
    private long received;
    private long ignored;
    private long mismatches;
    private boolean hasCounted = true;

    /**
     * Creates the receiver of a port.
     *
     * @param rated mask of the priorities with GFC rates
     * @param lineBps the link's rate: the port's rate at its start
     */
    GfcReceiver(GfcConfig config, int rated, long lineBps, GfcWords words) {
        this.rated = rated;
        this.lineBps = lineBps;
        this.words = words;
        take(config);
        forget();
    }

    private void take(GfcConfig as) {
        config = as;
        stages = new GfcStages(as, lineBps);
        line = new GfcLine(as, lineBps);
        slotBytes = Math.ceilDiv(as.mostBytes(), as.mostSlots());
    }

    @Override
    public void change(PortConfig port) {
        Mechanisms.Use use = port.mechanisms().use(GfcConfig.class);
        if (use != null && use.configuration() instanceof GfcConfig other) {
            take(other);
        }
    }

    // ---- what the far end asks

    @Override
    public boolean takes(int opcode) {
        return opcode == GfcFrame.OPCODE;
    }

    @Override
    public boolean receive(long receivedNs, MemorySegment segment, long frame, int availableBytes) {
        if (!GfcFrame.isValid(segment, frame, availableBytes)) {
            ignored++;
            return false;
        }
        boolean hasStages = config.form() == GfcConfig.Form.BUFFER;
        if (hasStages != (GfcFrame.form(segment, frame) == GfcFrame.STAGES)) {
            mismatches++;
            return false;
        }
        long most = hasStages ? GfcConfig.MOST_STAGES : GfcConfig.MOST_HELD_BYTES;
        for (int priority = 0; priority < PRIORITIES; priority++) {
            if (GfcFrame.value(segment, frame, priority) > most) {
                ignored++;
                return false;
            }
        }
        for (int rest = rated; rest != 0; rest &= rest - 1) {
            int priority = Integer.numberOfTrailingZeros(rest);
            long value = GfcFrame.value(segment, frame, priority);
            words.asked.storeOpaque(
                    priority, hasStages ? stages.rateBps((int) value) : line.rateBps(value));
        }
        words.asked.storeOpaque(GfcWords.UNTIL, receivedNs + PERIODS * config.periodNs());
        words.asked.storeVersionRelease();
        received++;
        hasCounted = true;
        return true;
    }

    private void forget() {
        for (int priority = 0; priority < PRIORITIES; priority++) {
            words.asked.storeOpaque(priority, PriorityRates.UNRATED);
        }
        words.asked.storeVersionRelease();
    }

    @Override
    public void linkChanged() {
        forget();
    }

    // ---- reports to the far end

    /** Short frames fill slots before bytes: a slot counts as its share of B<sub>m</sub>. */
    private long held(AccountsView accounts, int priority) {
        return Math.max(accounts.bytes(priority), accounts.slots(priority) * slotBytes);
    }

    private long tell(AccountsView accounts, int priority) {
        long held = held(accounts, priority);
        return config.form() == GfcConfig.Form.BUFFER
                ? stages.stage(held)
                : Math.min(line.told(held), GfcConfig.MOST_HELD_BYTES);
    }

    @Override
    public boolean publish(long nowNs, AccountsView accounts) {
        boolean changed = false;
        long all = 0;
        for (int rest = rated; rest != 0; rest &= rest - 1) {
            int priority = Integer.numberOfTrailingZeros(rest);
            long value = tell(accounts, priority);
            all |= value;
            if (value != told[priority]) {
                told[priority] = value;
                words.held.storeOpaque(priority, value);
                changed = true;
            }
        }
        if (!changed) {
            return false;
        }
        words.held.storeVersionRelease();
        // With reports in periods the sending end must know when they begin and end.
        boolean rings = config.form() == GfcConfig.Form.BUFFER || tells != (all != 0);
        tells = all != 0;
        return rings;
    }

    @Override
    public boolean awaitsReturns(AccountsView accounts) {
        for (int rest = rated; rest != 0; rest &= rest - 1) {
            int priority = Integer.numberOfTrailingZeros(rest);
            if (tell(accounts, priority) != told[priority]) {
                return true;
            }
        }
        return false;
    }

    // ---- what is counted

    @Override
    public long ignored() {
        return ignored;
    }

    @Override
    public long mismatches() {
        return mismatches;
    }

    @Override
    public boolean hasCounted() {
        boolean has = hasCounted;
        hasCounted = false;
        return has;
    }

    @Override
    public long counted(int counter) {
        return received;
    }
}
