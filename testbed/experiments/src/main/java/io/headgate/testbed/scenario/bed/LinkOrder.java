package io.headgate.testbed.scenario.bed;

/**
 * A link that goes down or comes up while an experiment runs.
 *
 * @param atPs when, in ps
 * @param link its name in the plan of the network
 */
public record LinkOrder(long atPs, String link, boolean up) {}
