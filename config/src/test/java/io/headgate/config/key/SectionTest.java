package io.headgate.config.key;

import static io.headgate.config.key.Quantity.DURATION;
import static io.headgate.config.key.Quantity.FREQUENCY;
import static io.headgate.config.key.Quantity.RATE;
import static io.headgate.config.key.Quantity.SIZE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What comes of a record whose components declare keys. */
final class SectionTest {
    enum Mode {
        OFF,
        FAST_START
    }

    record Timer(
            @Key(quantity = DURATION, min = "1us", max = "1s", absent = "1ms") @Says("How long.")
                    long periodNs,
            @Key(quantity = DURATION, min = "1us", max = "1s", example = "2ms")
                    @Says("How long at most.")
                    @Otherwise("twice the period")
                    long mostNs)
            implements Checked {
        static long mostNs(Known known) {
            return 2 * known.number("period");
        }

        @Override
        public void check(Known known, Place place) {
            if (mostNs < periodNs) {
                place.child("most").refuse("less", "at least the period");
            }
        }
    }

    record Part(
            @Key(quantity = SIZE, min = "0B", max = "1GB", absent = "2KiB") @Says("How much.")
                    int blockBytes,
            @Key(min = "0", max = "9", absent = "3", scale = Scale.MULTIPLIED) @Says("Ticks.")
                    int ticks) {}

    record Whole(
            @Key(name = "kind", absent = "off") @Says("Which.") Mode mode,
            @Key(quantity = RATE, min = "1bps", max = "400Gbps", absent = "1Gbps")
                    @Says("How fast.")
                    long lineRateBps,
            @Key(quantity = FREQUENCY, unit = "s", min = "0/s", max = "9/s", absent = "5/s")
                    @Says("How often.")
                    int looksPerSec,
            @Key(min = "0", max = "1", absent = "0.5", example = "0.1") @Says("How likely.")
                    double chance,
            @Inline Part part,
            @Key
                    @Says("When.")
                    @Allowed("a mapping")
                    @When(
                            key = "kind",
                            is = {"fast-start"})
                    @Nullable Timer timer,
            @Key @Says("Perhaps.") @Allowed("a mapping") @Otherwise("none") @Nullable Timer other,
            @Key(min = "0", max = "7")
                    @Says("Some.")
                    @Allowed("numbers")
                    @Otherwise("the ticks")
                    @Items(min = 1, max = 3, each = "a number")
                    List<Integer> some) {
        static List<Integer> some(Known known) {
            return List.of(known.count("ticks"));
        }
    }

    private final List<String> refused = new ArrayList<>();

    private final Source source =
            new Source() {
                @Override
                public void refuse(String at, String found, String allowed) {
                    refused.add(at + ": " + found + "; " + allowed);
                }

                @Override
                public void refuse(String at) {
                    refused.add(at);
                }
            };

    private <R extends Record> @Nullable R read(Class<R> type, Map<String, Object> said) {
        return Section.of(type).read(Place.of(source, said), Known.NOTHING);
    }

    @Test
    void keysAreNamedAsTheirComponentsWithoutUnits() {
        assertThat(Section.of(Whole.class).write(Section.of(Whole.class).standard(Known.NOTHING)))
                .containsExactly(
                        Map.entry("kind", "off"),
                        Map.entry("line-rate", "1Gbps"),
                        Map.entry("looks", "5/s"),
                        Map.entry("chance", 0.5),
                        Map.entry("block", "2KiB"),
                        Map.entry("ticks", 3),
                        Map.entry("some", List.of(3)));
    }

    @Test
    void aDefaultMayFollowFromAKeyThatIsReadLater() {
        assertThat(read(Timer.class, Map.of("period", "4us"))).isEqualTo(new Timer(4_000, 8_000));
        assertThat(read(Timer.class, Map.of("most", "9ms")))
                .isEqualTo(new Timer(1_000_000, 9_000_000));
        assertThat(read(Whole.class, Map.of("ticks", 4))).extracting("some").isEqualTo(List.of(4));
        assertThat(refused).isEmpty();
    }

    @Test
    void aSectionThatHasNoEffectIsNullAndRefusedWhereItIsSaid() {
        assertThat(read(Whole.class, Map.of())).extracting("timer").isNull();
        assertThat(read(Whole.class, Map.of("kind", "fast-start")))
                .extracting("timer")
                .isEqualTo(new Timer(1_000_000, 2_000_000));
        assertThat(refused).isEmpty();
        assertThat(read(Whole.class, Map.of("timer", Map.of("period", "4us"))))
                .extracting("timer")
                .isNull();
        assertThat(refused).containsExactly("/timer: kind: off; kind: fast-start");
    }

    @Test
    void aSectionThatMayBeMissingIsNullWhereNothingIsSaid() {
        assertThat(read(Whole.class, Map.of())).extracting("other").isNull();
        assertThat(read(Whole.class, Map.of("other", Map.of())))
                .extracting("other")
                .isEqualTo(new Timer(1_000_000, 2_000_000));
    }

    @Test
    void aRecordLooksAtWhatMustHoldBetweenItsKeys() {
        read(Timer.class, Map.of("period", "4us", "most", "2us"));
        assertThat(refused).containsExactly("/most: less; at least the period");
    }

    @Test
    void aValueThatCannotBeUsedIsAsIfItWereNotThere() {
        assertThat(read(Timer.class, Map.of("period", Place.BAD, "most", "9ms")))
                .isEqualTo(new Timer(1_000_000, 9_000_000));
        assertThat(refused).isEmpty();
    }

    @Test
    void aShareIsANumberOrAPercentage() {
        assertThat(read(Whole.class, Map.of("chance", 0.25))).extracting("chance").isEqualTo(0.25);
        assertThat(read(Whole.class, Map.of("chance", "2.5 %")))
                .extracting("chance")
                .isEqualTo(0.025);
        assertThat(read(Whole.class, Map.of("chance", "100%"))).extracting("chance").isEqualTo(1.0);
        assertThat(refused).isEmpty();
        for (String text : List.of("101%", "1e1%", "-1%", "%", "1", "2,5%")) {
            read(Whole.class, Map.of("chance", text));
            assertThat(refused).as(text).hasSize(1);
            refused.clear();
        }
    }

    @Test
    void aSlowerRunMultipliesTimesAndDividesRatesAndLeavesBytes() {
        Whole whole =
                new Whole(
                        Mode.FAST_START,
                        1_000,
                        9,
                        0.1,
                        new Part(5, 2),
                        new Timer(3, 4),
                        null,
                        List.of(1));
        assertThat(Section.of(Whole.class).scaled(whole, 10))
                .isEqualTo(
                        new Whole(
                                Mode.FAST_START,
                                100,
                                1,
                                0.1,
                                new Part(5, 20),
                                new Timer(30, 40),
                                null,
                                List.of(1)));
    }

    @Test
    void codeSaysOnlyWhatThereIsAKeyFor() {
        Section<Whole> section = Section.of(Whole.class);
        assertThat(section.said("timer.period", 4_000L)).isEqualTo("4us");
        assertThat(section.said("block", 4096)).isEqualTo("4KiB");
        assertThat(section.said("kind", Mode.FAST_START)).isEqualTo("fast-start");
        assertThatThrownBy(() -> section.said("timer.perod", 1L))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no key perod");
    }

    @Test
    void schemaSaysWhatIsAllowedInWordsMadeFromTheBounds() {
        Object properties = Section.of(Whole.class).schema().get("properties");
        assertThat(allowed(properties, "kind")).isEqualTo("off or fast-start");
        assertThat(allowed(properties, "line-rate"))
                .isEqualTo("a rate such as 1Gbps, from 1bps to 400Gbps");
        assertThat(allowed(properties, "ticks")).isEqualTo("a whole number from 0 to 9, such as 3");
        assertThat(allowed(properties, "chance"))
                .isEqualTo("a number from 0 to 1, such as 0.1, or a percentage such as 1%");
    }

    private static @Nullable Object allowed(@Nullable Object properties, String key) {
        return properties instanceof Map<?, ?> map && map.get(key) instanceof Map<?, ?> schema
                ? schema.get("x-allowed")
                : null;
    }

    record Undeclared(int count) {}

    record Speechless(@Key(min = "0", max = "1", absent = "0") int count) {}

    record WrongDefault(
            @Key(quantity = SIZE, min = "0B", max = "1GB", absent = "much") @Says("It.")
                    int countBytes) {}

    record Circle(
            @Key(min = "0", max = "1") @Says("One.") @Otherwise("the other") int one,
            @Key(min = "0", max = "1") @Says("Other.") @Otherwise("the one") int other) {
        static int one(Known known) {
            return known.count("other");
        }

        static int other(Known known) {
            return known.count("one");
        }
    }

    /** A codec that says by which of its constructors it was made. */
    abstract static class Made implements Codec<String> {
        private final String how;

        Made(String how) {
            this.how = how;
        }

        @Override
        public Map<String, Object> schema() {
            return Map.of("type", "string");
        }

        @Override
        public String read(Place place, Known known) {
            return how;
        }

        @Override
        public String nothing() {
            return "";
        }
    }

    static final class OfKeyLast extends Made {
        OfKeyLast() {
            super("nothing");
        }

        OfKeyLast(Key key) {
            super(key.pattern());
        }
    }

    static final class OfKeyFirst extends Made {
        OfKeyFirst(Key key) {
            super(key.pattern());
        }

        OfKeyFirst() {
            super("nothing");
        }
    }

    static final class OfWords extends Made {
        OfWords(String words) {
            super(words);
        }

        OfWords() {
            super("nothing");
        }

        OfWords(int number) {
            super("number " + number);
        }
    }

    static final class OfWordsAlone extends Made {
        OfWordsAlone(String words) {
            super(words);
        }
    }

    record Coded(
            @Key(codec = OfKeyLast.class, pattern = "last") @Says("It.") String last,
            @Key(codec = OfKeyFirst.class, pattern = "first") @Says("It.") String first,
            @Key(codec = OfWords.class) @Says("It.") String words) {}

    record Uncoded(@Key(codec = OfWordsAlone.class) @Says("It.") String words) {}

    @Test
    void aCodecIsMadeOfItsKeyOrElseWithoutArguments() {
        assertThat(read(Coded.class, Map.of("last", "", "first", "", "words", "")))
                .isEqualTo(new Coded("last", "first", "nothing"));
        assertThatThrownBy(() -> Section.of(Uncoded.class))
                .hasMessageContaining("is not a codec that is made of its key, or without");
    }

    record Boundless(
            @Key(min = "0") @Says("How much.") @Allowed("a number") @Otherwise("none")
                    double much) {}

    @Test
    void aNumberMayHaveNoLargestValue() {
        assertThat(Section.of(Boundless.class).schema().get("properties"))
                .extracting("much")
                .isEqualTo(
                        Map.of(
                                "description",
                                "How much.",
                                "type",
                                "number",
                                "minimum",
                                0.0,
                                "x-default",
                                "none",
                                "x-allowed",
                                "a number"));
        assertThat(read(Boundless.class, Map.of("much", 1e300))).isEqualTo(new Boundless(1e300));
        assertThat(read(Boundless.class, Map.of())).isEqualTo(new Boundless(0));
    }

    record Unsaid(@Key(min = "0", max = "7", example = "2") @Says("One.") @Nullable Integer one) {
        static Integer one(Known known) {
            return known.count("two");
        }
    }

    @Test
    void aRecordThatDeclaresBadlyIsToldSo() {
        assertThatThrownBy(() -> Section.of(Undeclared.class))
                .hasMessageContaining("a component that declares no key: count");
        assertThatThrownBy(() -> Section.of(Speechless.class).schema())
                .hasMessageContaining("count does not say what it is for");
        assertThatThrownBy(() -> Section.of(WrongDefault.class))
                .hasMessageContaining("the default of")
                .hasMessageContaining("is not allowed");
        assertThatThrownBy(() -> Section.of(Unsaid.class))
                .hasMessageContaining("one is worked out by a method")
                .hasMessageContaining("no @Otherwise");
        assertThatThrownBy(() -> read(Circle.class, Map.of()))
                .hasMessageContaining("one follows from itself");
        assertThat(read(Circle.class, Map.of("other", 1))).isEqualTo(new Circle(1, 1));
    }

    @Named(says = "What little is said of.")
    record BriefThingConfig(
            @Key(unit = Key.PROBABILITY, min = "0", max = "1", absent = "0") @Says("Lost.")
                    double lossProbability,
            @Key(max = "20", example = "a word") @Says("A word.") String word,
            @Key(max = "20") @Says("Some.") @Allowed("words") @Items(max = 3, each = "a word")
                    List<String> some,
            @Key(min = "0", max = "7", example = "2") @Says("One.") @Nullable Integer one) {}

    @Test
    void whatFollowsFromRecordNeedNotBeSaid() {
        Class<BriefThingConfig> type = BriefThingConfig.class;
        Section<BriefThingConfig> section = Section.of(type);
        Named named = Objects.requireNonNull(type.getAnnotation(Named.class));

        assertThat(Section.name(type, named)).isEqualTo("brief-thing");
        assertThat(section.read(Place.nowhere().saying(Map.of("word", "so")), Known.NOTHING))
                .isEqualTo(new BriefThingConfig(0, "so", List.of(), null));
        assertThat(section.schema().get("required")).isEqualTo(List.of("word"));
        assertThat(section.schema().toString())
                .contains("loss={")
                .contains("such as 0.001")
                .contains("x-allowed=text, such as a word")
                .contains("x-default=none");
    }
}
