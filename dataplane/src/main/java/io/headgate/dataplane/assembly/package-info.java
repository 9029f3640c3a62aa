/**
 * A switch, put together: which engine a configuration asks for, what forwards its frames, and the
 * owners of the tables that decide.
 */
@NullMarked
package io.headgate.dataplane.assembly;

import org.jspecify.annotations.NullMarked;
