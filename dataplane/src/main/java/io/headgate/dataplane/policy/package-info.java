/**
 * What can be decided otherwise, an interface for each decision on the path of a frame: numbers go
 * in, a number comes out. The built-in behaviour implements them, and so may code that is compiled
 * from a policy while the switch runs. The hooks are those of OpenQueue (Kogan, Menikkumbura et
 * al., "Towards software-defined buffer management", IEEE/ACM ToN 2020): admission, and scheduling;
 * with the classification that it leaves outside, and the thresholds of buffers that are shared.
 *
 * <p>An implementation belongs to one half, which alone calls it. It allocates nothing, knows no
 * clock but what it is given, and answers in time that does not grow with what waits (or says by
 * how much it does).
 */
@NullMarked
package io.headgate.dataplane.policy;

import org.jspecify.annotations.NullMarked;
