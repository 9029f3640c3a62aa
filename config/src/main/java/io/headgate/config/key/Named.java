package io.headgate.config.key;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A record with words of its own: one of the records of a {@link Union}, one that several keys
 * have, or the configuration of a mechanism, which is called so. A component of a union's type is a
 * mapping with one key, this record's name, as in <code>
 * device: {tap: {interface: tap1}}</code>.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Named {
    /** What names may be. */
    String PATTERN = "[a-z][a-z0-9]*(-[a-z0-9]+)*";

    /**
     * The key that says that it is this one; by default the record's name in kebab case, without
     * {@code Config}: {@code DeadlockBreakerConfig} is {@code deadlock-breaker}.
     */
    String value() default "";

    /** What it is, in one sentence or two. */
    String says();

    /** What is allowed, with an example; empty where what has the record makes these words. */
    String allowed() default "";

    /** The fewest keys that it has, where none is required by itself. */
    int min() default 0;

    /** The key whose value may stand by itself instead of the mapping; empty: none. */
    String alone() default "";

    /** A word that may stand instead of the mapping, and says none of its keys; empty: none. */
    String word() default "";
}
