/**
 * The result files of a run: result.json, CSV, figures as SVG and PNG, and one page with
 * everything. One thread writes them after the runs.
 */
@NullMarked
package io.headgate.testbed.scenario.report;

import org.jspecify.annotations.NullMarked;
