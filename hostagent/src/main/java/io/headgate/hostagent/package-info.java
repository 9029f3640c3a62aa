/** The host: a NIC built from the engine's own halves, RoCEv2 endpoints and reaction points. */
@NullMarked
package io.headgate.hostagent;

import org.jspecify.annotations.NullMarked;
