package io.headgate.testbed.scenario.file;

import io.headgate.config.key.Key;
import io.headgate.config.key.Says;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.Numbers;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A sentence about each run, with measures in braces. */
record Saying(
        @Key(max = "400", example = "the queue is full after {full after}")
                @Says("A sentence; a measure in braces is replaced by its value with its unit.")
                String text) {
    private static final Pattern MEASURE = Pattern.compile("\\{([^{}]+)}");

    List<String> measures() {
        return MEASURE.matcher(text).results().map(one -> one.group(1)).toList();
    }

    String of(CellResult result) {
        return MEASURE.matcher(text)
                .replaceAll(one -> Matcher.quoteReplacement(number(one.group(1), result)));
    }

    private static String number(String name, CellResult result) {
        for (Measure measure : result.outcomeOrThrow().measures()) {
            if (measure.name().equals(name)) {
                return Numbers.shown(measure.value(), measure.unit());
            }
        }
        return Numbers.text(Double.NaN);
    }
}
