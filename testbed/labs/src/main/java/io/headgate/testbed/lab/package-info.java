/**
 * Ready-made demonstrations on the real test bed: a switch between hosts in network namespaces,
 * traffic by the tools that everyone has, and a report that says what was seen and whether it adds
 * up. One thread runs a lab; another may close it at any moment.
 */
@NullMarked
package io.headgate.testbed.lab;

import org.jspecify.annotations.NullMarked;
