/**
 * From a file to a record and back: readers, the checks of what must hold between ports, schemas,
 * the page's table, and patches of a switch that runs. What a key is stands at its record.
 */
@NullMarked
package io.headgate.config.read;

import org.jspecify.annotations.NullMarked;
