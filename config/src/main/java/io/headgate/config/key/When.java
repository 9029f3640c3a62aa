package io.headgate.config.key;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A {@link Key} that has an effect only if another one, of the same mapping or of one around it,
 * has a certain value. Otherwise the component is null, 0, an empty list or all defaults. A file
 * that has the key all the same is refused, unless the key is in {@link Common}, where it may serve
 * others.
 */
@Documented
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
public @interface When {

    /** The other key. */
    String key();

    /** The words of which it has one; none: it is enough that it is given. */
    String[] is() default {};

    /** Turned round: the other key is not given. */
    boolean absent() default false;
}
