package io.headgate.testbed.scenario.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.testbed.scenario.ScenarioException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DivergenceTest {
    private static final TraceHeader HEADER =
            new TraceHeader(List.of("h1->s1", "s1->h1", "h2->s1"), Map.of("seed", "1"));

    private static final long DIGEST = 0xFEDC_BA98_7654_3210L;

    @TempDir private Path directory;

    private static List<TraceRecord> random(long seed, int count) {
        SplittableRandom random = new SplittableRandom(seed);
        List<TraceRecord> records = new ArrayList<>();
        long timePs = 0;
        for (int i = 0; i < count; i++) {
            timePs = Math.max(0, timePs + random.nextLong(-900, 1L << random.nextInt(1, 40)));
            long arrivePs =
                    random.nextInt(10) == 0
                            ? TraceRecord.LOST
                            : timePs + random.nextLong(0, 1L << random.nextInt(1, 40));
            records.add(
                    new TraceRecord(
                            i,
                            random.nextInt(3),
                            timePs,
                            arrivePs,
                            random.nextInt(60, 9018),
                            random.nextLong()));
        }
        return records;
    }

    private Path write(String name, List<TraceRecord> records) throws ScenarioException {
        Path file = directory.resolve(name);
        try (TraceWriter writer = new TraceWriter(file, HEADER)) {
            for (TraceRecord r : records) {
                writer.record(r.link(), r.startPs(), r.arrivePs(), r.lengthBytes(), r.storedHash());
            }
            writer.end(DIGEST);
        }
        return file;
    }

    @Test
    void whatIsWrittenIsReadBack() throws Exception {
        List<TraceRecord> records = random(42, 200_000);
        Path file = write("a.hgtrace", records);
        List<TraceRecord> back = new ArrayList<>();
        try (TraceReader reader = new TraceReader(file)) {
            assertThat(reader.header()).isEqualTo(HEADER);
            for (TraceRecord r = reader.next(); r != null; r = reader.next()) {
                back.add(r);
            }
            assertThat(reader.isCutShort()).isFalse();
            assertThat(reader.digest()).isEqualTo(DIGEST);
        }
        assertThat(TraceReader.digestOf(file)).isEqualTo(DIGEST);
        assertThat(back).isEqualTo(records);
        assertThat(Files.size(file) / records.size()).isLessThanOrEqualTo(22);
    }

    @Test
    void namesTheFirstEventInWhichTwoRunsPart() throws Exception {
        List<TraceRecord> records = random(7, 1000);
        List<TraceRecord> other = new ArrayList<>(records);
        TraceRecord was = records.get(500);
        other.set(
                500,
                new TraceRecord(
                        500,
                        was.link(),
                        was.startPs() + 250,
                        was.arrivePs() == TraceRecord.LOST ? was.arrivePs() : was.arrivePs() + 250,
                        was.lengthBytes(),
                        was.storedHash()));
        Divergence parting = Divergence.of(write("a.hgtrace", records), write("b.hgtrace", other));
        assertThat(parting.same()).isEqualTo(500);
        assertThat(parting.first()).isEqualTo(was);
        assertThat(parting.before()).isEqualTo(records.subList(495, 500));
        assertThat(parting.describe())
                .contains(
                        "They differ from event 501 on; all earlier events are the same",
                        "time (B is +250 ps)")
                .contains(HEADER.links().get(was.link()));
    }

    @Test
    void aRunThatGoesOnPartsWhereTheOtherEnds() throws Exception {
        List<TraceRecord> records = random(8, 100);
        Path longer = write("a.hgtrace", records);
        Path shorter = write("b.hgtrace", records.subList(0, 60));
        Divergence parting = Divergence.of(longer, shorter);
        assertThat(parting.same()).isEqualTo(60);
        assertThat(parting.second()).isNull();
        assertThat(parting.describe()).contains("B has ended, A continues");
        assertThat(Divergence.of(longer, longer).isNone()).isTrue();
    }

    @Test
    void damagedRecordingsAreRefusedInASentence() throws Exception {
        Path file = write("a.hgtrace", random(9, 50));
        byte[] good = Files.readAllBytes(file);
        assertThatThrownBy(() -> new TraceReader(directory.resolve("none.hgtrace")))
                .hasMessageContaining("there is no recording");
        Files.write(file, new byte[] {1, 2, 3});
        assertThatThrownBy(() -> new TraceReader(file)).hasMessageContaining("is not a recording");
        Files.write(file, Arrays.copyOf(good, 20));
        assertThatThrownBy(() -> new TraceReader(file)).isInstanceOf(ScenarioException.class);
        Files.write(file, Arrays.copyOf(good, good.length - 30));
        try (TraceReader reader = new TraceReader(file)) {
            while (reader.next() != null) {}
            assertThat(reader.isCutShort()).isTrue();
        }
    }

    @Test
    void randomlyDamagedRecordingsNeverThrowAnythingElse() throws Exception {
        Path file = write("a.hgtrace", random(10, 50));
        byte[] good = Files.readAllBytes(file);
        SplittableRandom random = new SplittableRandom(11);
        for (int i = 0; i < 2000; i++) {
            byte[] bad = good.clone();
            for (int j = random.nextInt(1, 4); j > 0; j--) {
                bad[random.nextInt(bad.length)] = (byte) random.nextInt();
            }
            Files.write(file, bad);
            try (TraceReader reader = new TraceReader(file)) {
                while (reader.next() != null) {}
            } catch (ScenarioException expected) {
                assertThat(expected.getMessage()).isNotEmpty();
            }
        }
    }
}
