/**
 * The reaction point of ICC (Wang et al., "Congestion Control Using In-Network Telemetry for
 * Lossless Datacenters", Computers, Materials and Continua 75(1), 2023, section 4.3): algorithm 1,
 * with the equations in two forms ({@link io.headgate.hostagent.icc.IccEquations}).
 */
@NullMarked
package io.headgate.hostagent.icc;

import org.jspecify.annotations.NullMarked;
