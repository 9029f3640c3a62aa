/** Tests of the real bed: networks between namespaces of our own. */
@NullMarked
package io.headgate.testbed.netns;

import org.jspecify.annotations.NullMarked;
