package io.headgate.config.key;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A mapping next to a list of records, with keys that apply to all of them; if an item has the same
 * key, the item's whole value is used. It has all keys of an item except those that are {@link
 * Key#own}.
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
