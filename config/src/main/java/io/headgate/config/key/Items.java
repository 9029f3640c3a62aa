package io.headgate.config.key;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The list that is the value of a {@link Key}, or of each of its items; the key itself has the
 * bounds of the list's items.
 */
@Documented
@Target({ElementType.RECORD_COMPONENT, ElementType.TYPE_USE})
@Retention(RetentionPolicy.RUNTIME)
public @interface Items {

    /** The fewest items that a file may list. */
    int min() default 0;

    /** The most items. */
    int max();

    /** Whether no item may occur twice. */
    boolean unique() default false;

    /** Whether a single item may be written instead of a list of one. */
    boolean orOne() default false;

    /** Whether an item may have {@code for} and {@code when}, in files that are expanded. */
    boolean repeats() default false;

    /**
     * A {@link Codec} of an item that no built-in one reads, made without arguments or of the key.
     */
    Class<?> codec() default void.class;

    /** What is allowed as an item, with an example; empty: what its record's {@link Named} says. */
    String each() default "";
}
