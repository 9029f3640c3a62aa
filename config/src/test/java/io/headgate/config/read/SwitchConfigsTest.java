package io.headgate.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.Addresses;
import io.headgate.config.ConfigException;
import io.headgate.config.ConfigProblem;
import io.headgate.config.SwitchConfig;
import io.headgate.config.key.Quantity;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

final class SwitchConfigsTest {
    /** Fixed, so that a failure comes back; {@code -Dheadgate.seed=} tries another. */
    private static final long SEED = Long.getLong("headgate.seed", 20_261_121L);

    @Test
    void whatIsWrittenIsReadBackToAnEqualValue() {
        RandomConfigs configs = new RandomConfigs(SEED);
        for (int i = 0; i < 500; i++) {
            SwitchConfig config = configs.next();
            String yaml = SwitchConfigs.toYaml(config);
            String json = JsonMapper.shared().writeValueAsString(SwitchConfigs.toMap(config));

            assertThat(SwitchConfigReader.read(yaml, "yaml"))
                    .as("seed %d, configuration %d:%n%s", SEED, i, yaml)
                    .isEqualTo(config);
            assertThat(SwitchConfigReader.read(json, "json"))
                    .as("seed %d, configuration %d:%n%s", SEED, i, json)
                    .isEqualTo(config);
        }
    }

    @Test
    void everyExampleIsReadAndWrittenBack() throws IOException {
        List<Path> examples = examples();
        assertThat(examples).hasSizeGreaterThanOrEqualTo(6);
        for (Path example : examples) {
            SwitchConfig config = SwitchConfigReader.read(example);
            assertThat(SwitchConfigReader.read(SwitchConfigs.toYaml(config), example.toString()))
                    .isEqualTo(config);
        }
    }

    @Test
    void mutatedFilesAreReadOrRefusedWithAPlace() throws IOException {
        readMutations(SEED, 5_000);
    }

    @Test
    @Tag("long")
    void manyMutatedFilesAreReadOrRefusedWithAPlace() throws IOException {
        readMutations(SEED + 1, 100_000);
    }

    private static void readMutations(long seed, int mutations) throws IOException {
        List<String> corpus = new ArrayList<>();
        for (Path example : examples()) {
            corpus.add(Files.readString(example));
        }
        RandomConfigs configs = new RandomConfigs(seed);
        for (int i = 0; i < 6; i++) {
            corpus.add(SwitchConfigs.toYaml(configs.next()));
            corpus.add(JsonMapper.shared().writeValueAsString(SwitchConfigs.toMap(configs.next())));
        }
        Random random = new Random(seed);
        int valid = 0;
        for (int i = 0; i < mutations; i++) {
            String text = mutate(corpus, random);
            try {
                SwitchConfig config = SwitchConfigReader.read(text, "m.yaml");
                valid++;
                if (i % 16 == 0) {
                    assertThat(SwitchConfigReader.read(SwitchConfigs.toYaml(config), "m"))
                            .as("seed %d, mutation %d:%n%s", seed, i, text)
                            .isEqualTo(config);
                }
            } catch (ConfigException e) {
                for (ConfigProblem problem : e.problems()) {
                    boolean isPlaced = problem.line() > 0 && problem.column() > 0;
                    boolean isWhole = problem.line() == 0;
                    if (!(isPlaced || isWhole)
                            || problem.found().isEmpty()
                            || problem.allowed().isEmpty()
                            || problem.toString().indexOf('\n') >= 0) {
                        throw new AssertionError(problem + "\nin mutation " + i + ":\n" + text);
                    }
                }
            } catch (RuntimeException | StackOverflowError e) {
                throw new AssertionError("seed " + seed + ", mutation " + i + ":\n" + text, e);
            }
        }
        assertThat(valid).as("mutations that stayed valid").isBetween(1, mutations - 1);
    }

    private static final List<String> FRAGMENTS =
            List.of(
                    "[",
                    "]",
                    "{",
                    "}",
                    ":",
                    ": ",
                    "- ",
                    "\n",
                    " ",
                    "#",
                    "&a ",
                    "*a",
                    "!!",
                    "|",
                    ">",
                    "'",
                    "\"",
                    "\\",
                    "\\x",
                    "\\U00110000",
                    "%",
                    "%YAML 9.9\n",
                    "---\n",
                    "...\n",
                    "?",
                    "\t",
                    "\u0000",
                    "\ud83d",
                    "\ufeff",
                    "\u2028",
                    "null",
                    "~",
                    "true",
                    "-1",
                    "0",
                    "4095",
                    "1e999999999",
                    "99999999999999999999999",
                    ".inf",
                    "0x",
                    "-",
                    "0o9",
                    "10Gbps",
                    "5ms",
                    "800kB",
                    "10.0.0.1/24",
                    "::/0",
                    "0-0",
                    "4094-1",
                    "all",
                    "none",
                    "trunk",
                    "vlan: ",
                    "name: ",
                    "device: ",
                    "ports: ",
                    "defaults: {}",
                    "memory: ",
                    "routed",
                    "[]",
                    "{}",
                    "<<: ",
                    "/",
                    "~1",
                    "999",
                    "a",
                    ",");

    private static String mutate(List<String> corpus, Random random) {
        StringBuilder text = new StringBuilder(corpus.get(random.nextInt(corpus.size())));
        for (int n = 1 + random.nextInt(4); n > 0 && !text.isEmpty(); n--) {
            int at = random.nextInt(text.length());
            int end = Math.min(text.length(), at + 1 + random.nextInt(12));
            switch (random.nextInt(6)) {
                case 0 -> text.delete(at, end);
                case 1 -> text.insert(at, FRAGMENTS.get(random.nextInt(FRAGMENTS.size())));
                case 2 -> text.setCharAt(at, (char) (32 + random.nextInt(95)));
                case 3 -> text.insert(random.nextInt(text.length()), text.substring(at, end));
                case 4 -> swapWords(text, random);
                default -> text.setLength(random.nextInt(20) == 0 ? at : text.length());
            }
        }
        return text.toString();
    }

    /** Puts one word of the text in the place of another: keys and values change places. */
    private static void swapWords(StringBuilder text, Random random) {
        String[] words = text.toString().split("[^A-Za-z0-9./-]+");
        if (words.length < 2) {
            return;
        }
        String from = words[random.nextInt(words.length)];
        String to = words[random.nextInt(words.length)];
        int at = text.indexOf(from, random.nextInt(text.length()));
        if (at >= 0) {
            text.replace(at, at + from.length(), to);
        }
    }

    private static List<Path> examples() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("examples"))) {
            return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
        }
    }

    @Test
    void quantitiesAreWrittenInTheirShortestForm() {
        assertThat(Quantity.SIZE.format(2048)).isEqualTo("2KiB");
        assertThat(Quantity.SIZE.format(800_000)).isEqualTo("800kB");
        assertThat(Quantity.SIZE.format(0)).isEqualTo("0B");
        assertThat(Quantity.RATE.format(2_500_000_000L)).isEqualTo("2500Mbps");
        assertThat(Quantity.DURATION.format(300_000_000_000L)).isEqualTo("300s");
        assertThat(Quantity.FREQUENCY.format(10_000)).isEqualTo("10k/s");
        assertThat(Quantity.DURATION.about(100_008)).isEqualTo("100 us");
        assertThat(Quantity.DURATION.about(266_556_286)).isEqualTo("266 ms");
        assertThat(Quantity.DURATION.about(33_553_920)).isEqualTo("33.5 ms");
        assertThat(Quantity.DURATION.about(300_000_000_000L)).isEqualTo("300 s");
        assertThat(Quantity.SIZE.parse("64KiB")).isEqualTo(65_536);
        assertThat(Quantity.SIZE.parse("64KB")).isEqualTo(Quantity.SIZE.parse("64kB"));
        assertThat(Quantity.SIZE.format(64_000)).isEqualTo("64kB");
        assertThat(Quantity.RATE.parse("0.0000000001bps")).isNull();
        assertThat(Quantity.RATE.parse("9223372036854775808bps")).isNull();
    }

    @Test
    void ipv6IsWrittenInTheFormOfRfc5952() {
        for (String text :
                List.of(
                        "::",
                        "::1",
                        "2001:db8::1",
                        "2001:db8:0:1:1:1:1:1",
                        "1:0:0:2::3",
                        "fe80::")) {
            InetAddress address = Objects.requireNonNull(Addresses.address(text));
            assertThat(Addresses.format(address)).isEqualTo(text);
        }
    }
}
