package io.headgate.testbed.lab.own;

/**
 * A number that a lab's file makes of measured ones.
 *
 * @param unit in outputs; empty: none
 * @param value arithmetic with measures of phases, and with those made before it
 */
public record LabDerived(String name, String unit, String value) {
    /**
     * What is expected of one.
     *
     * @param limit arithmetic with measures, in its unit
     */
    public record Expected(LabDerived derived, boolean isAtMost, String limit) {}
}
