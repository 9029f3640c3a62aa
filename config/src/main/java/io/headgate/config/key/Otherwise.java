package io.headgate.config.key;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The default of a {@link Key}, in words. If the record has a static method with the component's
 * name that takes {@link Known}, this method computes the default from other keys; otherwise the
 * component is null, or an empty list. Not needed if the default is a constant ({@link Key#absent})
 * or "none": a component that may be null, and a list whose {@link Items} have no least number, are
 * optional by themselves.
 */
@Documented
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
public @interface Otherwise {
    String value();
}
