package io.headgate.config.key;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What a {@link Key} allows, with an example. For numbers, words and flags the sentence is made
 * from their bounds, for lists from the example of an item; this one replaces it.
 */
@Documented
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
public @interface Allowed {
    String value();
}
