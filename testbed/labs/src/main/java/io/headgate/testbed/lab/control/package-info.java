/**
 * What the lab of rate controls tries, for any control by its name: how control and ports are
 * configured at the lab's rate, the same network in virtual time, and what a run came to. The lab
 * itself puts the network up.
 */
@NullMarked
package io.headgate.testbed.lab.control;

import org.jspecify.annotations.NullMarked;
