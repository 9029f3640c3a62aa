/**
 * Reads files into records and writes them back: readers, the checks of conditions between ports,
 * schemas, the page's table, and patches of a running switch. The keys are declared at the records.
 */
@NullMarked
package io.headgate.config.read;

import org.jspecify.annotations.NullMarked;
