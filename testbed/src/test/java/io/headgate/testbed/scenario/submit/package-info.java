@NullMarked
package io.headgate.testbed.scenario.submit;

import org.jspecify.annotations.NullMarked;
