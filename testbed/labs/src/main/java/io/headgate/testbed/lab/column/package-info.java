/** The columns of the labs' reports: the values that each counts, and their period. */
@NullMarked
package io.headgate.testbed.lab.column;

import org.jspecify.annotations.NullMarked;
