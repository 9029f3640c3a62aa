/**
 * OpenQueue as text: lexer, parser, and the checks that make of a file a {@link
 * io.headgate.dataplane.openqueue.language.Policy}, or a sentence about the place that is wrong. It
 * reads no files: its caller supplies the texts. Knows nothing of frames. The grammar is in
 * config/policies/README.md. Source: Menikkumbura, "Software-defined buffer management and robust
 * congestion control for modern datacenter networks" (Purdue, 2022), section 2.3.
 */
@NullMarked
package io.headgate.dataplane.openqueue.language;

import org.jspecify.annotations.NullMarked;
