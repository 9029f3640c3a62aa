/**
 * Files that a run leaves: result.json, CSV, figures as SVG and PNG, and one page that holds it
 * all. Everything is written by one thread after the runs.
 */
@NullMarked
package io.headgate.testbed.scenario.report;

import org.jspecify.annotations.NullMarked;
