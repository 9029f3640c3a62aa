package io.headgate.testbed.scenario.bed;

/**
 * A link that goes down or comes up while an experiment runs.
 *
 * @param atPs time of the change, in ps
 * @param link name of the link in the network's plan
 */
public record LinkOrder(long atPs, String link, boolean up) {}
