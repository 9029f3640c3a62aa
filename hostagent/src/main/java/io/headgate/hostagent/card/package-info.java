/**
 * A host's network card: an engine with two ports, one towards applications, one towards the link.
 */
@NullMarked
package io.headgate.hostagent.card;

import org.jspecify.annotations.NullMarked;
