package io.headgate.testbed.scenario.file;

import io.headgate.config.key.Allowed;
import io.headgate.config.key.Items;
import io.headgate.config.key.Key;
import io.headgate.config.key.Otherwise;
import io.headgate.config.key.Says;
import io.headgate.testbed.scenario.Unit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a scenario's or a lab's file that define its parameters; they are read before the
 * rest.
 */
public record ParameterKeys(
        @Key
                @Says(
                        "Parameters that --set can change: $name anywhere in the file is replaced"
                                + " by the value.")
                @Items(
                        max = 100,
                        each =
                                "a mapping, such as {name: burst, unit: duration, default: 50us,"
                                        + " min: 1us, max: 1ms}")
                List<Varied> parameters,
        @Key
                @Says(
                        "Values computed from parameters and earlier values: $name anywhere in the"
                                + " file is replaced by the value.")
                @Items(
                        max = 100,
                        each =
                                "a mapping with name and value, such as {name: share, unit: rate,"
                                        + " value: $rate / $senders}")
                List<Derived> let,
        @Key
                @Says("Conditions on the parameters' values, in addition to their ranges.")
                @Otherwise("nothing")
                @Items(
                        max = 100,
                        each =
                                "a mapping with that and else, such as {that: $xon < $xoff, else:"
                                        + " 'xon must be below xoff'}")
                List<Required> require) {
    static final String PUT = "$name anywhere in the file is replaced by its value.";
    static final String NAME = "^[a-z][a-z0-9-]{0,31}$";

    record Varied(
            @Key(pattern = NAME)
                    @Says(PUT)
                    @Allowed("1 to 32 small letters, digits or -, such as burst")
                    String name,
            @Key @Says("The unit of the value.") @Otherwise("none, with words or text")
                    @Nullable Unit unit,
            @Key(pattern = "^[A-Za-z0-9_.-]{1,64}$")
                    @Says(
                            "Allowed words, instead of unit, min and max; without default, the"
                                    + " first word is the default.")
                    @Otherwise("none")
                    @Allowed("a list of words, such as [tcd, red]")
                    @Items(
                            min = 1,
                            max = 100,
                            unique = true,
                            codec = Said.Word.class,
                            each =
                                    "1 to 64 letters, digits, -, _ or ., such as tcd, or true and"
                                            + " false")
                    List<String> words,
            @Key(absent = "false")
                    @Says(
                            "Whether the value is any text of one line, without quotation marks and"
                                    + " backslashes, instead of unit, words, min and max; without"
                                    + " default, it is empty.")
                    boolean text,
            @Key(values = "rate-control")
                    @Says(
                            "With words: the names of all mechanisms of a kind that need no key are"
                                    + " also words, including those of jars. Without default, all"
                                    + " words are a sweep.")
                    @Otherwise("none")
                    @Allowed("rate-control")
                    String mechanisms,
            @Key(name = "default")
                    @Says("The value without --set; several values are a sweep.")
                    @Otherwise("the first word")
                    @Allowed(
                            "a value of its unit, such as 50us, or one of its words; or a list of"
                                    + " these")
                    @Items(
                            min = 1,
                            max = 100,
                            orOne = true,
                            codec = Said.Word.class,
                            each = "a value of its unit or one of its words")
                    List<String> defaults,
            @Key(codec = Said.Formula.class)
                    @Says("Smallest value.")
                    @Otherwise("none, with words or text")
                    @Allowed("a value of its unit, such as 1us")
                    String min,
            @Key(codec = Said.Formula.class)
                    @Says("Largest value.")
                    @Otherwise("none, with words or text")
                    @Allowed("a value of its unit, such as 1ms")
                    String max,
            @Key(max = "200", example = "length of a burst")
                    @Says("For a list of parameters.")
                    @Otherwise("nothing")
                    @Nullable String meaning) {}

    /** A value that follows from parameters and from those before it. */
    record Derived(
            @Key(pattern = NAME)
                    @Says(PUT)
                    @Allowed("1 to 32 small letters, digits or -, such as share")
                    String name,
            @Key(
                            values = {
                                "rate",
                                "size",
                                "duration",
                                "count",
                                "number",
                                "word",
                                "text"
                            },
                            absent = "number")
                    @Says(
                            "The unit of the value; values of whole units are rounded to the"
                                    + " nearest whole number.")
                    @Allowed("rate, size, duration, count, number, word or text")
                    String unit,
            @Key(codec = Said.Formula.class)
                    @Says("Arithmetic with parameters.")
                    @Allowed(
                            "arithmetic with parameters, such as $rate / $senders or if($detect ="
                                    + " tcd, 97us, 0us)")
                    String value) {}

    /** A condition, and the message if it does not hold. */
    record Required(
            @Key(max = "400") @Says("A condition.") @Allowed("a condition, such as $xon < $xoff")
                    String that,
            @Key(name = "else", max = "400")
                    @Says("The message for values that do not fulfil the condition.")
                    @Allowed(
                            "a sentence, such as xon cannot be $xon: allowed is less than xoff,"
                                    + " which is $xoff")
                    String otherwise) {}
}
