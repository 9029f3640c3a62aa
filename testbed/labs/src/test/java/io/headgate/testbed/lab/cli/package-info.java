@NullMarked
package io.headgate.testbed.lab.cli;

import org.jspecify.annotations.NullMarked;
