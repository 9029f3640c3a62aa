package io.headgate.dataplane.gfc;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import io.headgate.config.Mechanisms;
import io.headgate.config.PortConfig;
import io.headgate.dataplane.frame.MacControl;
import io.headgate.dataplane.linkcontrol.LinkSender;
import io.headgate.dataplane.policy.QueueFields;
import io.headgate.dataplane.queue.PriorityRates;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The sending end of GFC at a port: limits its priorities to the rates that the far end asks for,
 * and sends reports to the far end. Buffer-based: at once when a stage changes, and again in every
 * period while a priority is in a stage. Time-based: in every period while a priority holds more
 * than B<sub>0</sub>, and once when none does any longer. Owned by the egress half.
 */
final class GfcSender implements LinkSender {
    private final GfcWords words;
    private boolean tellsStages;
    private long periodNs;

    // What the far end asked for, when this was last looked at.
    private final long[] ratesBps = new long[PRIORITIES];
    private int seenAsked;
    private long untilNs = Long.MAX_VALUE;

    // The report that is due, and the last one sent.
    private final long[] held = new long[PRIORITIES];
    private final long[] told = new long[PRIORITIES];
    private int seenHeld;
    private boolean differs;
    private boolean holds;
    private boolean tells;
    private long nextNs = Long.MIN_VALUE / 2;

    private long asked;
    private long lapsed;
    private boolean hasCounted = true;

    GfcSender(GfcConfig config, GfcWords words) {
        this.words = words;
        Arrays.fill(ratesBps, PriorityRates.UNRATED);
        seenAsked = words.asked.loadVersionAcquire();
        seenHeld = words.held.loadVersionAcquire();
        take(config);
    }

    private void take(GfcConfig config) {
        tellsStages = config.form() == GfcConfig.Form.BUFFER;
        periodNs = config.periodNs();
    }

    @Override
    public void change(PortConfig port) {
        Mechanisms.Use use = port.mechanisms().use(GfcConfig.class);
        if (use != null && use.configuration() instanceof GfcConfig other) {
            take(other);
        }
    }

    // ---- data

    @Override
    public void look(long nowNs, QueueFields queues) {
        look(nowNs);
    }

    /** Applies received reports; the queues do not matter. */
    void look(long nowNs) {
        int version = words.asked.loadVersionAcquire();
        if (version != seenAsked) {
            seenAsked = version;
            obey();
        }
        if (untilNs - nowNs <= 0 && untilNs != Long.MAX_VALUE) {
            Arrays.fill(ratesBps, PriorityRates.UNRATED);
            untilNs = Long.MAX_VALUE;
            lapsed++;
            hasCounted = true;
        }
        lookHeld();
    }

    private void obey() {
        boolean rates = false;
        for (int priority = 0; priority < PRIORITIES; priority++) {
            ratesBps[priority] = words.asked.loadOpaque(priority);
            rates |= ratesBps[priority] != PriorityRates.UNRATED;
        }
        untilNs = rates ? words.asked.loadOpaque(GfcWords.UNTIL) : Long.MAX_VALUE;
    }

    private void lookHeld() {
        int version = words.held.loadVersionAcquire();
        if (version != seenHeld) {
            seenHeld = version;
            for (int priority = 0; priority < PRIORITIES; priority++) {
                held[priority] = words.held.loadOpaque(priority);
            }
            compare();
        }
    }

    private void compare() {
        long different = 0;
        long any = 0;
        long before = 0;
        for (int priority = 0; priority < PRIORITIES; priority++) {
            different |= held[priority] ^ told[priority];
            any |= held[priority];
            before |= told[priority];
        }
        differs = different != 0;
        holds = any != 0;
        tells = before != 0;
    }

    @Override
    public boolean ratesQueues() {
        return true;
    }

    @Override
    public long rateBps(int queue) {
        return ratesBps[queue];
    }

    /** The time at which the far end's report expires. */
    @Override
    public long dataDeadlineNs() {
        return untilNs;
    }

    // ---- frames

    @Override
    public boolean isDue(long nowNs) {
        return (tellsStages && differs) || ((holds || tells) && nextNs - nowNs <= 0);
    }

    @Override
    public long deadlineNs() {
        return holds || tells ? nextNs : Long.MAX_VALUE;
    }

    @Override
    public int write(long presentNs, MemorySegment segment, long frame, long source) {
        GfcFrame.write(segment, frame, source, tellsStages ? GfcFrame.STAGES : GfcFrame.HELD);
        for (int priority = 0; priority < PRIORITIES; priority++) {
            told[priority] = held[priority];
            GfcFrame.value(segment, frame, priority, held[priority]);
        }
        compare();
        nextNs = presentNs + periodNs;
        asked++;
        hasCounted = true;
        return MacControl.FRAME_BYTES;
    }

    @Override
    public void linkChanged() {
        Arrays.fill(told, 0);
        lookHeld();
        compare();
    }

    // ---- what is counted

    @Override
    public boolean hasCounted() {
        boolean has = hasCounted;
        hasCounted = false;
        return has;
    }

    @Override
    public long counted(int counter) {
        return counter == 0 ? asked : lapsed;
    }
}
