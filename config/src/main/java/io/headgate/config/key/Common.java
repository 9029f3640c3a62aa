package io.headgate.config.key;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Beside a list of records, a mapping with what all of them have in common: an item's own setting
 * goes before, whole. It has all keys of an item but those that are {@link Key#own}.
 */
@Documented
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
public @interface Common {

    /** The mapping's key. */
    String name() default "defaults";

    /** What it is for. */
    String says();

    /** What is allowed, with an example. */
    String allowed();
}
