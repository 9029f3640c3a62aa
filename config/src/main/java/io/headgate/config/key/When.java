package io.headgate.config.key;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says that a {@link Key} has an effect only if another one, of the same mapping or of one around
 * it, has a certain value. Otherwise the component is null, 0, an empty list or all defaults. A
 * file that has the key anyway is refused, unless the key is in {@link Common}, where it may serve
 * others.
 */
@Documented
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
public @interface When {

    /** The other key. */
    String key();

    /** The words of which it must have one; empty: it only has to be given. */
    String[] is() default {};

    /** Inverts the condition: the other key must not be given. */
    boolean absent() default false;
}
