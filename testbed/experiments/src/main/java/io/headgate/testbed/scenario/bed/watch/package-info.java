/**
 * What is looked at while a run goes: what ports drop, and when a link is OFF. Changes nothing; the
 * thread that looks owns it.
 */
@NullMarked
package io.headgate.testbed.scenario.bed.watch;

import org.jspecify.annotations.NullMarked;
