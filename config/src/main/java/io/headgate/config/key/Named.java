package io.headgate.config.key;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * One record of a sealed interface. A component of the interface's type is a mapping with one key,
 * this record's name, as in <code>device: {tap: {interface: tap1}}</code>.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Named {

    /** The key that says that it is this one. */
    String value();

    /** What it is, in one sentence or two. */
    String says();

    /** What is allowed, with an example. */
    String allowed();

    /** The fewest keys that it has, where none is required by itself. */
    int min() default 0;

    /** The key whose value may stand by itself instead of the mapping; empty: none. */
    String alone() default "";
}
