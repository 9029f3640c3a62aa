/**
 * Results of a lab's packets under OpenQueue policies: how far they get, and their value under the
 * algorithms of section 2.5.4 of Menikkumbura's dissertation (Purdue, 2022), with unmodified
 * iperf3. Flows and arithmetic, no network.
 */
@NullMarked
package io.headgate.testbed.lab.policy;

import org.jspecify.annotations.NullMarked;
