/** What each column of the labs' reports counts: of what, and from when to when. */
@NullMarked
package io.headgate.testbed.lab.column;

import org.jspecify.annotations.NullMarked;
