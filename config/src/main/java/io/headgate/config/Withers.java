package io.headgate.config;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Gives a record a wither for each component, as in {@code port.withRateBps(…).withMtuBytes(…)}.
 * RecordBuilder makes them while the record is compiled; the record implements its {@code With}.
 */
@RecordBuilder.Template(
        options =
                @RecordBuilder.Options(
                        addStaticBuilder = false,
                        addFunctionalMethodsToWith = false,
                        enableGetters = false,
                        addClassRetainedGenerated = false))
@Retention(RetentionPolicy.SOURCE)
@Target(ElementType.TYPE)
public @interface Withers {}
