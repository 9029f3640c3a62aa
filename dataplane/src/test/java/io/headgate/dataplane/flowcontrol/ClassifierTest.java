package io.headgate.dataplane.flowcontrol;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.frame.HeaderParser;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.policy.Classify;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Priorities from bytes, and whether two ends agree. */
final class ClassifierTest {
    private static final long SEED = Long.getLong("headgate.seed", 20_261_121L);
    private static final TrafficConfig DEFAULT = TrafficConfig.DEFAULT;

    private static final String MACS = "020000000001020000000002";
    private static final String IPV4 = "45680014000000004011000001020304050607080000000000000000";

    private static TrafficConfig config(
            TrafficConfig.Trust trust,
            int defaultPriority,
            List<Integer> pcp,
            List<Integer> dscp,
            List<Integer> lossless) {
        return DEFAULT.withClassify(new TrafficConfig.Classify(trust, defaultPriority, pcp, dscp))
                .withLossless(lossless);
    }

    private static Classifier classifier(TrafficConfig.Trust trust, int defaultPriority) {
        return new Classifier(
                config(
                        trust,
                        defaultPriority,
                        DEFAULT.classify().priorityOfPcp(),
                        DEFAULT.classify().priorityOfDscp(),
                        List.of()));
    }

    private static int priority(Classifier classifier, String hex) {
        FrameRegion region = new FrameRegion(1, 512);
        Frame frame = region.frame(0);
        byte[] bytes = HexFormat.of().parseHex(hex);
        MemorySegment.copy(
                bytes,
                0,
                FrameRegion.MEMORY,
                ValueLayout.JAVA_BYTE,
                frame.dataOffset,
                bytes.length);
        frame.lengthBytes = bytes.length;
        frame.storedBytes = bytes.length;
        assertThat(HeaderParser.parse(FrameRegion.MEMORY, frame)).isNull();
        return classifier.priorityOf(FrameRegion.MEMORY, frame);
    }

    @Test
    void trustDecidesWhichFieldIsLookedAt() {
        String tagged = MACS + "8100a00a0800" + IPV4; // PCP 5
        String plain = MACS + "0800" + IPV4; // DSCP 26
        String ipv6 =
                MACS + "86dd6c000000" + "00083b40" + "00".repeat(32) + "00".repeat(8); // DSCP 48
        String arp = MACS + "0806" + "00".repeat(46);
        assertThat(priority(classifier(TrafficConfig.Trust.PCP, 1), tagged)).isEqualTo(5);
        assertThat(priority(classifier(TrafficConfig.Trust.PCP, 1), plain)).isEqualTo(1);
        assertThat(priority(classifier(TrafficConfig.Trust.DSCP, 1), tagged)).isEqualTo(3);
        assertThat(priority(classifier(TrafficConfig.Trust.DSCP, 1), plain)).isEqualTo(3);
        assertThat(priority(classifier(TrafficConfig.Trust.DSCP, 1), ipv6)).isEqualTo(6);
        assertThat(priority(classifier(TrafficConfig.Trust.DSCP, 1), arp)).isEqualTo(1);
        assertThat(priority(classifier(TrafficConfig.Trust.PORT, 7), tagged)).isEqualTo(7);
    }

    @Test
    void neitherAProvidersTagNorWhatIsBehindItSaysAPriority() {
        String service = MACS + "88a8a00a0800" + IPV4;
        String both = MACS + "88a8a00a8100e00a0800" + IPV4;
        for (TrafficConfig.Trust trust : TrafficConfig.Trust.values()) {
            assertThat(priority(classifier(trust, 1), service)).isEqualTo(1);
            assertThat(priority(classifier(trust, 1), both)).isEqualTo(1);
        }
        // Our own tag in front of it does.
        String tagged = MACS + "8100a00a88a8e00a0800" + IPV4;
        assertThat(priority(classifier(TrafficConfig.Trust.PCP, 1), tagged)).isEqualTo(5);
        assertThat(priority(classifier(TrafficConfig.Trust.DSCP, 1), tagged)).isEqualTo(1);
    }

    @Test
    void bytesAndFieldsGiveTheSamePriorityForEveryCodePoint() {
        Random random = new Random(SEED);
        List<Integer> pcp = random.ints(8, 0, 8).boxed().toList();
        List<Integer> dscp = random.ints(64, 0, 8).boxed().toList();
        Classifier byTag = new Classifier(config(TrafficConfig.Trust.PCP, 2, pcp, dscp, List.of()));
        Classifier byIp = new Classifier(config(TrafficConfig.Trust.DSCP, 2, pcp, dscp, List.of()));
        for (int point = 0; point < 8; point++) {
            String frame = MACS + String.format("8100%02x01", point << 5) + "0800" + IPV4;
            assertThat(byTag.classify(point, Classify.ABSENT)).isEqualTo(pcp.get(point));
            assertThat(priority(byTag, frame)).isEqualTo(pcp.get(point));
        }
        for (int point = 0; point < 64; point++) {
            String ip = "45" + String.format("%02x", point << 2 | 2) + IPV4.substring(4);
            assertThat(byIp.classify(Classify.ABSENT, point)).isEqualTo(dscp.get(point));
            assertThat(priority(byIp, MACS + "0800" + ip)).isEqualTo(dscp.get(point));
        }
    }

    @Test
    void codePointToWriteLeadsBackToThePriority() {
        Random random = new Random(SEED);
        for (int run = 0; run < 1000; run++) {
            List<Integer> pcp = random.ints(8, 0, 8).boxed().toList();
            Classifier classifier =
                    new Classifier(
                            config(
                                    TrafficConfig.Trust.PCP,
                                    0,
                                    pcp,
                                    DEFAULT.classify().priorityOfDscp(),
                                    List.of()));
            for (int priority = 0; priority < 8; priority++) {
                int point = classifier.pcpOf(priority);
                if (pcp.contains(priority)) {
                    assertThat(pcp.get(point)).as("seed %d, %s", SEED, pcp).isEqualTo(priority);
                } else {
                    assertThat(point).isEqualTo(priority);
                }
                if (pcp.get(priority) == priority) {
                    assertThat(point).isEqualTo(priority);
                }
            }
        }
    }

    @Test
    void digestDiffersWhereAnyFrameWouldBeSortedOtherwise() {
        List<Long> digests = new ArrayList<>();
        for (TrafficConfig.Trust trust : TrafficConfig.Trust.values()) {
            for (int priority = 0; priority < 8; priority++) {
                digests.add(classifier(trust, priority).digest());
            }
        }
        for (int point = 0; point < 64; point++) {
            List<Integer> dscp = new ArrayList<>(DEFAULT.classify().priorityOfDscp());
            dscp.set(point, (dscp.get(point) + 1) % 8);
            digests.add(
                    new Classifier(
                                    config(
                                            TrafficConfig.Trust.DSCP,
                                            0,
                                            DEFAULT.classify().priorityOfPcp(),
                                            dscp,
                                            List.of()))
                            .digest());
        }
        for (int lossless = 0; lossless < 8; lossless++) {
            digests.add(
                    new Classifier(
                                    config(
                                            TrafficConfig.Trust.DSCP,
                                            0,
                                            DEFAULT.classify().priorityOfPcp(),
                                            DEFAULT.classify().priorityOfDscp(),
                                            List.of(lossless)))
                            .digest());
        }
        assertThat(digests).doesNotHaveDuplicates();
    }

    @Test
    void portsSortAlikeOnlyByWhatNoSwitchAlters() {
        List<Integer> zeros = Collections.nCopies(64, 0);
        List<Integer> ones = Collections.nCopies(64, 1);
        Classifier byIp = by(TrafficConfig.Trust.DSCP, 2, zeros);
        assertThat(byIp.classifiesAlike(by(TrafficConfig.Trust.DSCP, 2, zeros))).isTrue();
        assertThat(byIp.classifiesAlike(by(TrafficConfig.Trust.DSCP, 2, ones))).isFalse();
        assertThat(byIp.classifiesAlike(by(TrafficConfig.Trust.DSCP, 3, zeros))).isFalse();
        assertThat(byIp.classifiesAlike(by(TrafficConfig.Trust.PORT, 2, zeros))).isFalse();
        Classifier byPort = by(TrafficConfig.Trust.PORT, 2, zeros);
        assertThat(byPort.classifiesAlike(by(TrafficConfig.Trust.PORT, 2, ones))).isTrue();
        assertThat(byPort.classifiesAlike(by(TrafficConfig.Trust.PORT, 1, zeros))).isFalse();
        // Tags come and go on the way through.
        Classifier byTag = by(TrafficConfig.Trust.PCP, 2, zeros);
        assertThat(byTag.classifiesAlike(byTag)).isFalse();
    }

    private static Classifier by(TrafficConfig.Trust trust, int fallback, List<Integer> dscp) {
        List<Integer> pcp = TrafficConfig.DEFAULT.classify().priorityOfPcp();
        return new Classifier(config(trust, fallback, pcp, dscp, List.of()));
    }

    @Test
    void digestIgnoresTheTableThatIsNotLookedAt() {
        List<Integer> other = List.of(7, 6, 5, 4, 3, 2, 1, 0);
        assertThat(
                        new Classifier(
                                        config(
                                                TrafficConfig.Trust.DSCP,
                                                0,
                                                other,
                                                DEFAULT.classify().priorityOfDscp(),
                                                List.of()))
                                .digest())
                .isEqualTo(classifier(TrafficConfig.Trust.DSCP, 0).digest());
    }
}
