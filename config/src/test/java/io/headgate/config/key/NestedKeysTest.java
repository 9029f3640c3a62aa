package io.headgate.config.key;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Keys of records within records: defaults from around, lists of lists, words of a record. */
final class NestedKeysTest {
    /** A cable; what is not said of one is as of the one around it. */
    @Named(value = "cable", says = "A cable.", allowed = "a mapping, such as {length: 3}")
    record Cable(
            @Key(min = "1", max = "9", example = "3")
                    @Says("How long.")
                    @Otherwise("that of cable")
                    @Beds(real = "warned: it is as long as it is")
                    int length) {
        Cable {
            if (length == 9) {
                throw new IllegalArgumentException("a cable of 9; allowed: shorter ones");
            }
        }

        static int length(Known known) {
            return known.get("cable", Cable.class).length;
        }
    }

    record Room(@Key Cable cable, @Key Cable spare) {}

    record House(
            @Key Cable cable,
            @Key @Says("A room.") @Allowed("a mapping") Room room,
            @Key(pattern = "[a-z]")
                    @Says("Pairs.")
                    @Allowed("pairs")
                    @Otherwise("none")
                    @Items(max = 3, each = "two words")
                    List<@Items(min = 2, max = 2, each = "a word") List<String>> pairs) {}

    private final List<String> refused = new ArrayList<>();

    private House read(Map<String, Object> said) {
        Source source =
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
        Known around = Known.of(Map.of("cable", new Cable(1)));
        return Objects.requireNonNull(Section.of(House.class).read(Place.of(source, said), around));
    }

    @Test
    void aKeyThatAsksForItsOwnNameMeansTheOneAroundItsMapping() {
        House all = read(Map.of("cable", Map.of("length", 5)));
        assertThat(all.room).isEqualTo(new Room(new Cable(5), new Cable(5)));
        House own = read(Map.of("room", Map.of("cable", Map.of("length", 7))));
        assertThat(own.cable).isEqualTo(new Cable(1));
        assertThat(own.room).isEqualTo(new Room(new Cable(7), new Cable(7)));
    }

    @Test
    void aListMayHaveLists() {
        List<List<String>> pairs = List.of(List.of("a", "b"), List.of("c", "d"));
        assertThat(read(Map.of("pairs", pairs)).pairs).isEqualTo(pairs);
        assertThat(schema("pairs").get("items"))
                .isEqualTo(
                        Map.of(
                                "type",
                                "array",
                                "minItems",
                                2,
                                "maxItems",
                                2,
                                "x-allowed",
                                "two words",
                                "items",
                                Map.of(
                                        "type",
                                        "string",
                                        "pattern",
                                        "[a-z]",
                                        "x-allowed",
                                        "a word")));
    }

    @Test
    void aRecordSaysWhatIsAllowedInPlaceOfWhatItRefuses() {
        read(Map.of("room", Map.of("spare", Map.of("length", 9))));
        assertThat(refused).contains("/room/spare: a cable of 9; shorter ones");
    }

    @Test
    void aNamedRecordHasTheWordsOfItsKeysAndEachKeyThoseForRealFrames() {
        assertThat(schema("cable"))
                .containsEntry("description", "A cable.")
                .containsEntry("x-allowed", "a mapping, such as {length: 3}");
        assertThat(schema("cable").get("properties"))
                .asString()
                .contains("x-beds={real=warned: it is as long as it is}");
    }

    @SuppressWarnings("unchecked") // a schema's keys are texts
    private static Map<String, Object> schema(String key) {
        Object keys = Section.of(House.class).schema().get("properties");
        return Objects.requireNonNull(
                ((Map<String, Map<String, Object>>) Objects.requireNonNull(keys)).get(key));
    }
}
