package io.headgate.testbed.scenario;

/** A single measured number. The name is unique among those of a run. */
public record Measure(String name, String unit, double value) {}
