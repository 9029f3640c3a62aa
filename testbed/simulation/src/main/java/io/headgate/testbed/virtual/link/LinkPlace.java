package io.headgate.testbed.virtual.link;

import io.headgate.testbed.virtual.time.NodeEvents;

/**
 * Where one end of a direction of a link is driven, once the run's nodes have been parted.
 *
 * @param part the part of the run that its node is in
 * @param events its node's
 * @param event the number among them of what happens at this end
 * @param duty the number in the part of the half to be called then
 */
public record LinkPlace(PartContext part, NodeEvents events, int event, int duty) {}
