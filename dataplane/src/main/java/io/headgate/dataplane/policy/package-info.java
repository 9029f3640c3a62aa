/**
 * Policies: one interface for each replaceable decision on the path of a frame, with numbers as
 * input and one number as result. The built-in behaviour implements them, and so may code that is
 * compiled from a policy while the switch runs. The hooks are those of OpenQueue (Kogan,
 * Menikkumbura et al., "Towards software-defined buffer management", IEEE/ACM ToN 2020): admission
 * and scheduling; we add classification, which OpenQueue leaves out, and the thresholds of shared
 * buffers.
 *
 * <p>An implementation belongs to one half, which alone calls it. It allocates nothing, knows no
 * clock except the time that it receives, and its run time does not grow with the number of waiting
 * frames (or it states by how much).
 */
@NullMarked
package io.headgate.dataplane.policy;

import org.jspecify.annotations.NullMarked;
