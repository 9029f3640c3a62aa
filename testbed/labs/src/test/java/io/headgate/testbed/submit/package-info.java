@NullMarked
package io.headgate.testbed.submit;

import org.jspecify.annotations.NullMarked;
