package io.headgate.testbed.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.EgressCounter;
import io.headgate.dataplane.queue.WireFormat;
import io.headgate.hostagent.card.CardSetup;
import io.headgate.hostagent.card.HostCard;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.traffic.FlowGroup;
import io.headgate.testbed.traffic.Traffic;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.frame.HostAddress;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.traffic.spec.SendPattern;
import io.headgate.testbed.traffic.spec.SizeDistribution;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The real engine as the server of an M/G/1 queue: frames come to a network card at exponentially
 * distributed intervals, its egress half and link serve them one after the other. The mean wait is
 * Pollaczek's and Khinchine's, {@code arrival rate * mean square of service / (2 (1 - load))}, with
 * rate and service times of the frames that were really sent.
 */
class SingleServerQueueTest {
    private static final long SEED = 1;
    private static final long RATE_BPS = 10_000_000_000L;
    private static final long DELAY_PS = 1_000_000;
    private static final int BATCHES = 50;
    private static final double PS_PER_BYTE = 8e12 / RATE_BPS;

    /** Many short frames, some of middle length, many long ones, as on the Internet. */
    private static final SizeDistribution LENGTHS =
            SizeDistribution.of(
                    "mix",
                    SizeDistribution.Between.DISCRETE,
                    new double[] {64, 576, 1500},
                    new double[] {0.4, 0.7, 1});

    /** What a run showed, and what the formula says of it. Times in ps. */
    private record Outcome(
            long frames,
            double load,
            double meanWaitPs,
            double expectedWaitPs,
            double relativeStandardError,
            double meanQueueFrames,
            double expectedQueueFrames) {

        double relativeError() {
            return meanWaitPs / expectedWaitPs - 1;
        }
    }

    /** Sums over the frames that a link has sent. */
    private static final class Sent {
        long frames;
        double wireBytes;
        double wireBytesSquared;

        void add(int lengthBytes) {
            double bytes = WireFormat.ETHERNET.wireBytes(lengthBytes);
            frames++;
            wireBytes += bytes;
            wireBytesSquared += bytes * bytes;
        }
    }

    /**
     * @param wire what a frame really occupies; the formula uses {@link WireFormat#ETHERNET}
     */
    private static Outcome serve(long arrivals, double load, long seed, WireFormat wire) {
        VirtualRun run = new VirtualRun(RunOptions.of(seed).withWire(wire).withDigest(false));
        HostNode client = run.addHost(CardSetup.of("h0", RATE_BPS).withSlots(8192, 64, 512));
        HostNode server = run.addHost(CardSetup.of("h1", RATE_BPS).withSlots(64, 64, 512));
        run.connect(client, HostCard.WIRE, server, HostCard.WIRE, new LinkSpec(RATE_BPS, DELAY_PS));
        Traffic traffic = VirtualTraffic.of(run, Traffic.Options.DEFAULT);
        VirtualTraffic.addHost(
                traffic, client, HostAddress.onOneNetwork("h0", 0x0200_0000_0001L, 1));
        VirtualTraffic.addHost(
                traffic, server, HostAddress.onOneNetwork("h1", 0x0200_0000_0002L, 2));
        double meanServicePs =
                (LENGTHS.meanBytes() + WireFormat.ETHERNET.overheadBytes()) * PS_PER_BYTE;
        double intervalPs = meanServicePs / load;
        traffic.start(
                FlowSpec.greedy("f", 0, 1, FrameShape.udp(1500))
                        .withPattern(new SendPattern.PoissonFrames(intervalPs, LENGTHS)));
        Sent sent = new Sent();
        run.observe((direction, start, arrive, length, at, stored) -> sent.add(length));
        long endPs = (long) (arrivals * intervalPs);
        SampledSeries queue =
                SampledSeries.recordCounter(
                        run,
                        client,
                        Scope.EGRESS,
                        HostCard.WIRE,
                        EgressCounter.QUEUE_FRAMES,
                        1_370_000,
                        endPs);
        double[] batchDelayPs = new double[BATCHES];
        FlowGroup group = traffic.group("f");
        for (int batch = 0; batch < BATCHES; batch++) {
            long framesBefore = group.framesReceived();
            long delayBefore = group.delaySumPs();
            run.runUntil(endPs / BATCHES * (batch + 1));
            batchDelayPs[batch] =
                    (double) (group.delaySumPs() - delayBefore)
                            / (group.framesReceived() - framesBefore);
        }
        return outcome(group, sent, endPs, batchDelayPs, queue);
    }

    private static Outcome outcome(
            FlowGroup group, Sent sent, long endPs, double[] batchDelayPs, SampledSeries queue) {
        double arrivalsPerPs = (double) sent.frames / endPs;
        double servicePs = sent.wireBytes / sent.frames * PS_PER_BYTE;
        double squarePs = sent.wireBytesSquared / sent.frames * PS_PER_BYTE * PS_PER_BYTE;
        double load = arrivalsPerPs * servicePs;
        double expected = arrivalsPerPs * squarePs / (2 * (1 - load));
        // A frame has arrived before its gap has passed.
        double onTheWayPs = servicePs - WireFormat.ETHERNET.gapBytes() * PS_PER_BYTE + DELAY_PS;
        double wait = (double) group.delaySumPs() / group.framesReceived() - onTheWayPs;
        double squares = 0;
        for (double delayPs : batchDelayPs) {
            double difference = delayPs - onTheWayPs - wait;
            squares += difference * difference;
        }
        double standardError = Math.sqrt(squares / (BATCHES - 1) / BATCHES);
        return new Outcome(
                sent.frames,
                load,
                wait,
                expected,
                standardError / expected,
                queue.mean(0, queue.size()),
                arrivalsPerPs * expected);
    }

    /** Four standard errors, found from the means of 50 batches, are the tolerance. */
    @ParameterizedTest
    @ValueSource(doubles = {0.3, 0.5, 0.7})
    void theMeanQueueIsThatOfTheFormula(double load) {
        Outcome outcome = serve(400_000, load, SEED, WireFormat.ETHERNET);
        double tolerance = 4 * outcome.relativeStandardError;
        assertThat(tolerance).as("%s", outcome).isBetween(0.004, 0.05);
        assertThat(outcome.relativeError()).as("%s", outcome).isCloseTo(0, within(tolerance));
        assertThat(outcome.meanQueueFrames / outcome.expectedQueueFrames)
                .as("queue as sampled, %s", outcome)
                .isCloseTo(1, within(tolerance + 0.01));
    }

    /** As much more on the wire as makes the queue a tenth longer is noticed. */
    @Test
    void aQueueWrongByATenthWouldBeNoticed() {
        Outcome outcome = serve(400_000, 0.7, SEED, wrongBy(0.7, 0.10));
        assertThat(outcome.relativeError())
                .as("%s", outcome)
                .isGreaterThan(4 * outcome.relativeStandardError);
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(doubles = {0.3, 0.5, 0.7})
    void overTenMillionArrivalsTheMeanQueueIsThatOfTheFormulaWithinTwoPerCent(double load) {
        Outcome outcome = serve(10_000_000, load, SEED, WireFormat.ETHERNET);
        System.out.println(outcome);
        assertThat(outcome.relativeError()).as("%s", outcome).isCloseTo(0, within(0.02));
        assertThat(outcome.meanQueueFrames / outcome.expectedQueueFrames)
                .as("queue as sampled, %s", outcome)
                .isCloseTo(1, within(0.02));
    }

    @Tag("long")
    @Test
    void overTenMillionArrivalsAQueueWrongByThreePerCentFails() {
        Outcome outcome = serve(10_000_000, 0.7, SEED, wrongBy(0.7, 0.03));
        System.out.println(outcome);
        assertThat(outcome.relativeError()).as("%s", outcome).isGreaterThan(0.02);
    }

    /** The fewest bytes more on the wire that lengthen the mean wait by at least a part. */
    private static WireFormat wrongBy(double load, double part) {
        for (int extra = 1; ; extra++) {
            WireFormat wrong =
                    new WireFormat(
                            WireFormat.ETHERNET.overheadBytes() + extra,
                            WireFormat.ETHERNET.gapBytes() + extra,
                            WireFormat.ETHERNET.minFrameBytes());
            if (waitBytes(wrong, load) / waitBytes(WireFormat.ETHERNET, load) >= 1 + part) {
                return wrong;
            }
        }
    }

    /** Mean wait in bytes of wire time at the arrival rate that makes the load with Ethernet. */
    private static double waitBytes(WireFormat wire, double load) {
        double mean = LENGTHS.meanBytes();
        double more = wire.overheadBytes();
        double perByte = load / (mean + WireFormat.ETHERNET.overheadBytes());
        double square = LENGTHS.meanSquareBytes() + 2 * more * mean + more * more;
        return perByte * square / (2 * (1 - perByte * (mean + more)));
    }
}
