/** {@code headgate web}: serves the page of switches that run already. */
@NullMarked
package io.headgate.control.cli.web;

import org.jspecify.annotations.NullMarked;
