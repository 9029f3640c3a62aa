/**
 * The two test beds, real frames between network namespaces and virtual time, and what runs on
 * them.
 */
@NullMarked
package io.headgate.testbed;

import org.jspecify.annotations.NullMarked;
