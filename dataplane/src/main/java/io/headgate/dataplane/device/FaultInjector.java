package io.headgate.dataplane.device;

import io.headgate.config.DeviceConfig;
import io.headgate.config.PortConfig;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FreeList;
import io.headgate.dataplane.memory.SlotPlace;
import io.headgate.dataplane.random.NamedRandom;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Loses, corrupts, delays, repeats and reorders frames that another device receives and transmits,
 * and takes its link down, as {@link DeviceConfig.Faults} say: the same port, seed and frames have
 * the same faults.
 *
 * <p>Received frames that are delayed stay in their slots, which belong to this device until then
 * ({@link SlotPlace#DEVICE_RECEIVE}); there are at most {@link DeviceConfig.Faults#limitFrames} of
 * them. While there are that many, the other device is not read, and counts its own drops.
 * Transmitted ones are copied ({@link FaultyTransmission}).
 */
public final class FaultInjector extends DeviceDecorator {
    private static final int BURST = 64;

    // Of what came while the link was down, lost before it comes up: frames of the largest ring in
    // all, and a few bursts a call.
    private static final int MOST_LOST = 32_768;
    private static final int BURSTS_PER_CALL = 4;

    private volatile DeviceConfig.Faults faults;
    private final LongSupplier clock;
    private final NamedRandom flaps;

    // Receive side's own.
    private final Frame[] arrivals = new Frame[BURST];
    private final FaultyWay way;
    private long flipNs = Long.MAX_VALUE;
    private boolean begun;
    private int lostForUp;
    private boolean lacksSlots;

    /** No slot was left when it was last read. */
    private boolean starved;

    /** Written by the receive side. */
    private volatile boolean down;

    /** How often it went down; written by the receive side. */
    private volatile int downs;

    /** Null: what is transmitted passes. */
    private final @Nullable FaultyTransmission transmission;

    /**
     * @param owner owner of the generators: the port's name
     * @param slotBytes size of the switch's slots
     * @param clock the switch's clock: delays count from the time at which a frame arrived or would
     *     have left
     * @throws IllegalArgumentException if transmission has faults and the device does not copy
     */
    public FaultInjector(
            PortDevice inner,
            DeviceConfig.Faults faults,
            String owner,
            int slotBytes,
            LongSupplier clock) {
        super(inner);
        this.clock = clock;
        this.faults = faults;
        int limitFrames = faults.limitFrames();
        this.way = new FaultyWay(faults.seed(), owner, limitFrames);
        this.flaps = NamedRandom.of(faults.seed(), owner, "flaps");
        if (faults.transmit() == null) {
            transmission = null;
            return;
        }
        if (!inner.transmitCopies()) {
            throw new IllegalArgumentException(
                    "faults of what " + inner.info().name() + " transmits, which does not copy");
        }
        transmission =
                new FaultyTransmission(
                        inner,
                        new FaultyWay(faults.seed(), owner + " transmit", limitFrames),
                        limitFrames,
                        slotBytes,
                        clock);
    }

    @Override
    public void change(PortConfig port) {
        super.change(port);
        if (port.device() instanceof DeviceConfig.Faulty changed) {
            faults = changed.faults();
        }
    }

    @Override
    public int receive(long nowNs, FreeList free, Frame[] batch, int limit) {
        flap(nowNs, free);
        int most = Math.min(Math.min(BURST, limit), way.room());
        int came = most == 0 ? 0 : super.receive(nowNs, free, arrivals, most);
        // A worker that was held up before it read them was called earlier than they came.
        long cameNs = came > 0 && faults.receive().holdsFrames() ? clock.getAsLong() : nowNs;
        for (int i = 0; i < came; i++) {
            take(cameNs, came - i - 1, free, arrivals[i]);
        }
        int count = way.arrived(nowNs, batch, limit);
        starved = free.size() == 0;
        return count;
    }

    private void take(long cameNs, int toCome, FreeList free, Frame frame) {
        DeviceConfig.OneWay now = faults.receive();
        if (down || way.isLost(now)) {
            way.lose(free, frame);
        } else {
            way.add(now, cameNs, toCome, free, frame, SlotPlace.DEVICE_RECEIVE);
        }
    }

    /** The link goes down or up when it is time; what is under way when it goes down is lost. */
    private void flap(long nowNs, FreeList free) {
        DeviceConfig.Faults now = faults;
        if (now.isPulled()) {
            begun = false;
            flipNs = Long.MAX_VALUE;
            if (!down) {
                goDown(free);
            }
            return;
        }
        if (now.upMeanNs() == 0 || (down && !begun)) {
            // Plugged in again, or told not to go down any more.
            flipNs = nowNs;
            if (down && !hasLostAll(nowNs, free)) {
                return;
            }
            down = false;
            begun = false;
            flipNs = Long.MAX_VALUE;
            if (now.upMeanNs() == 0) {
                return;
            }
        }
        if (!begun) {
            begun = true;
            flipNs = nowNs + lasts(now.upMeanNs());
        }
        while (flipNs <= nowNs) {
            if (!down) {
                goDown(free);
            } else if (hasLostAll(nowNs, free)) {
                down = false;
            } else {
                return;
            }
            flipNs += lasts(down ? now.downMeanNs() : now.upMeanNs());
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread calls it
    private void goDown(FreeList free) {
        down = true;
        // Behind it: what the transmit side took before it saw one, it loses by the other.
        downs++;
        way.loseAll(free);
    }

    /**
     * Loses a piece of what came while the link was down; answers whether that was all. A link that
     * is down is not read at once, and frames of that time must not arrive later: it comes up once
     * they are gone. Without a free slot none can be read.
     */
    private boolean hasLostAll(long nowNs, FreeList free) {
        lacksSlots = free.size() == 0;
        for (int burst = 0; burst < BURSTS_PER_CALL && !lacksSlots; burst++) {
            int came = super.receive(nowNs, free, arrivals, BURST);
            for (int i = 0; i < came; i++) {
                way.lose(free, arrivals[i]);
            }
            lostForUp += came;
            if (came == 0 || lostForUp >= MOST_LOST) {
                lostForUp = 0;
                return true;
            }
        }
        return false;
    }

    private long lasts(long meanNs) {
        return Math.max(1, (long) flaps.nextExponential((double) meanNs));
    }

    /**
     * Not supported: this device holds frames, so arrival times at the other device do not apply
     * here.
     */
    @Override
    public boolean showAges(long @Nullable [] agesNs) {
        super.showAges(null);
        return false;
    }

    @Override
    public int transmit(Frame[] batch, int from, int count) {
        if (down) {
            return 0;
        }
        DeviceConfig.OneWay now = faults.transmit();
        return transmission == null || now == null
                ? super.transmit(batch, from, count)
                : transmission.transmit(now, downs, batch, from, count);
    }

    @Override
    public int completed(Frame[] into, int limit) {
        int count = super.completed(into, limit);
        if (transmission != null) {
            transmission.goOn(downs);
        }
        return count;
    }

    @Override
    public TransmitStatus transmitStatus() {
        return transmission == null ? super.transmitStatus() : transmission.status();
    }

    @Override
    public boolean isUp() {
        return !down && !faults.isPulled() && super.isUp();
    }

    @Override
    public void readReceiveDrops(DropTotals totals) {
        super.readReceiveDrops(totals);
        way.addTo(totals);
    }

    @Override
    public void readTransmitDrops(DropTotals totals) {
        super.readTransmitDrops(totals);
        if (transmission != null) {
            transmission.readDrops(totals);
        }
    }

    @Override
    public int receiveFd() {
        // What is not read must not wake the worker: it would spin. Frames that are due have a
        // deadline, and slots that come home ring.
        return starved || way.room() == 0 ? POLLED : super.receiveFd();
    }

    @Override
    public boolean armReceive() {
        return !starved && way.room() > 0 && super.armReceive();
    }

    @Override
    public long deadlineNs() {
        // A slot that comes home rings.
        long nextFlipNs = lacksSlots ? Long.MAX_VALUE : flipNs;
        long ownNs = Math.min(nextFlipNs, way.nextNs());
        return Math.min(ownNs, super.deadlineNs());
    }
}
