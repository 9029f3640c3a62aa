package io.headgate.config.key;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A component without a key of its own: its keys are in the mapping of the record around it. */
@Documented
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
public @interface Inline {

    /** A {@link Codec} of a mapping, if the component is not a record. */
    Class<?> codec() default void.class;
}
