/**
 * The OpenQueue language: lexer, parser and checks, which turn a text into a {@link
 * io.headgate.dataplane.openqueue.language.Policy}, or into an error with its place. Reads no
 * files: the caller supplies the texts. Does not depend on frames. The grammar is in
 * config/policies/README.md. Source: Menikkumbura, "Software-defined buffer management and robust
 * congestion control for modern datacenter networks" (Purdue, 2022), section 2.3.
 */
@NullMarked
package io.headgate.dataplane.openqueue.language;

import org.jspecify.annotations.NullMarked;
