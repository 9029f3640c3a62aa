/**
 * Reads networks and flows from other simulators' files: HPCC's topologies and flows, csg-htsim's
 * topologies and connection matrices, GOAL's schedules as text. Contents that Headgate's files
 * cannot express are noted, one sentence for each kind. The formats are defined by the programs
 * that read them.
 *
 * <p>Bounds: a file of 64 MB, lines of 64 KB, networks of 10,000 hosts, 100,000 flows.
 */
@NullMarked
package io.headgate.testbed.imports;

import org.jspecify.annotations.NullMarked;
