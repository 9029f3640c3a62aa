package io.headgate.config.key;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Gives a record a name and words of its own: one of the records of a {@link Union}, a record that
 * several keys have, or the configuration of a mechanism, which takes this name. A component of a
 * union's type is a mapping with one key, this record's name, as in <code>
 * device: {tap: {interface: tap1}}</code>.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Named {
    /** The form of a name. */
    String PATTERN = "[a-z][a-z0-9]*(-[a-z0-9]+)*";

    /**
     * The key that selects this record; by default the record's name in kebab case, without {@code
     * Config}: {@code DeadlockBreakerConfig} is {@code deadlock-breaker}.
     */
    String value() default "";

    /** What it is, in one sentence or two. */
    String says();

    /** What is allowed, with an example; empty if the owner of the record makes these words. */
    String allowed() default "";

    /** The fewest keys that it may have, if none is required by itself. */
    int min() default 0;

    /** The key whose value may be written instead of the mapping; empty: none. */
    String alone() default "";

    /**
     * A word that may be written instead of the mapping, and gives none of its keys; empty: none.
     */
    String word() default "";
}
