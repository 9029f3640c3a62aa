package io.headgate.testbed.virtual.link;

import io.headgate.testbed.virtual.time.NodeEvents;

/**
 * The part, event and duty that drive one end of a direction of a link, known once the run's nodes
 * have been divided into parts.
 *
 * @param part part of the run that the node is in
 * @param events pending events of the node
 * @param event number of this end's event among them
 * @param duty number in the part of the half that is called then
 */
public record LinkPlace(PartContext part, NodeEvents events, int event, int duty) {}
