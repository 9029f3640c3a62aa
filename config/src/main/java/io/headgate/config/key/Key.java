package io.headgate.config.key;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares a configuration key, once, where its value is kept: on a record's component. Reader,
 * writer, schema, defaults, scaling, the page's table and the changes that {@code set} allows are
 * derived from it.
 *
 * <pre>{@code
 * @Key(quantity = DURATION, min = "1ns", max = "10s", example = "800us")
 * @Says("A pause still needed is asked for again after this long.")
 * @Otherwise("a quarter of the pause")
 * long refreshNs
 * }</pre>
 *
 * <p>Further annotations have its sentences: {@link Says}, its purpose; {@link Allowed}, if what is
 * allowed does not follow from the bounds; {@link Otherwise}, the default; {@link Fixed} or {@link
 * Permanent}, why it cannot change while a switch runs.
 *
 * <p>A key is required unless it has {@link #absent}, {@link Otherwise} or {@link When}, or is a
 * list that may be empty, or a value that may be null: without such a key there is no value.
 */
@Documented
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
public @interface Key {
    /** The unit of a share of frames to which something happens. */
    String PROBABILITY = "probability";

    /**
     * The key in a file; by default the component's name in kebab case, without the unit of its
     * {@link #quantity}: {@code refreshNs} is {@code refresh}, and {@code lossProbability} with
     * that unit is {@code loss}.
     */
    String name() default "";

    /** At most one: the component is a whole number of this, written with a unit. */
    Quantity[] quantity() default {};

    /** What a number counts, in words; those of a rate, a size and a time need none. */
    String unit() default "";

    /** The least value, as a file would write it; for a list: the least value of an item. */
    String min() default "";

    /**
     * The largest value, as a file would write it; for a list: the largest value of an item; for a
     * text: the most characters, with at least one.
     */
    String max() default "";

    /** All allowed values, as a file would write them. */
    String[] values() default {};

    /** A regular expression that a text matches; of a number: the share in percent. */
    String pattern() default "";

    /**
     * An allowed value, as the example in the sentence about what is allowed. By default {@link
     * #absent}; a {@link #PROBABILITY} has 0.001, and a size 800kB and 64KiB, so that both kinds of
     * prefixes are seen.
     */
    String example() default "";

    /** The default, as a file would write it, if it is always the same. */
    String absent() default "";

    /** How the value changes in a run that is slower by a factor. */
    Scale scale() default Scale.BY_QUANTITY;

    /**
     * Whether each item of a list must have its own value, so that {@link Common} lacks the key.
     */
    boolean own() default false;

    /**
     * A {@link Codec} for a value that no built-in one reads, made without arguments or of its key.
     */
    Class<?> codec() default void.class;
}
