package io.headgate.config.key;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says what a run on real frames does with a {@link Key} of a test bed's file: {@code refused:
 * why}, {@code warned: why} or {@code done from 50us: why}. A key without it does the same on every
 * bed.
 */
@Documented
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
public @interface Beds {

    /** On real frames. */
    String real();

    /** In labs, if they do more than scenarios on real frames; empty: the same. */
    String lab() default "";
}
