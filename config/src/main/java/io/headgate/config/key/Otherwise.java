package io.headgate.config.key;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * In words, what holds if a file does not have a {@link Key}. It follows from other keys if the
 * record has a static method of the component's name that takes {@link Known}, and works it out;
 * else the component is null, or an empty list. Not needed where the default is a constant ({@link
 * Key#absent}), nor where it is "none": a component that may be null, and a list whose {@link
 * Items} have no least number, are optional by themselves.
 */
@Documented
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
public @interface Otherwise {
    String value();
}
