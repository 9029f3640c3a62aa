/**
 * Swift's sender: a window that keeps round trips at a target delay. It knows no clock, and is
 * found by its name. Owned by the sending host.
 */
@NullMarked
package io.headgate.hostagent.rate.swift;

import org.jspecify.annotations.NullMarked;
