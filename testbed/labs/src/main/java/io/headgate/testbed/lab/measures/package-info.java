/** What a lab's runs come to together: the numbers that its file makes, in a table and first. */
@NullMarked
package io.headgate.testbed.lab.measures;

import org.jspecify.annotations.NullMarked;
