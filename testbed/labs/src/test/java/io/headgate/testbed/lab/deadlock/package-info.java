@NullMarked
package io.headgate.testbed.lab.deadlock;

import org.jspecify.annotations.NullMarked;
