package io.headgate.testbed.scenario.campaign;

import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Words;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A part of a sweep for one machine: every {@code of}-th cell, so that all parts have similar work
 * if neighbouring cells do.
 *
 * @param index from 1
 */
public record Shard(int index, int of) {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,6})/([0-9]{1,6})");
    private static final Pattern AUTO = Pattern.compile("auto(?:/([1-9][0-9]{0,5}))?");

    /**
     * Reads {@code i/n}, or {@code auto} or {@code auto/n} for the batch system's numbers.
     *
     * @param environment environment of this process, with the batch system's variables
     * @throws ScenarioException if it is not that, with 1 <= i <= n
     */
    public static Shard parse(String text, Map<String, String> environment)
            throws ScenarioException {
        Matcher auto = AUTO.matcher(text);
        if (auto.matches()) {
            int count = auto.group(1) == null ? 0 : Integer.parseInt(auto.group(1));
            return BatchSystem.shard(environment, count);
        }
        Matcher matcher = FORM.matcher(text);
        if (matcher.matches()) {
            int index = Integer.parseInt(matcher.group(1));
            int of = Integer.parseInt(matcher.group(2));
            if (index >= 1 && index <= of) {
                return new Shard(index, of);
            }
        }
        throw new ScenarioException(
                "--shard cannot be '"
                        + Words.shown(text)
                        + "': allowed is i/n with i from 1 to n, for example 1/4, and in a task"
                        + " of an array auto or auto/n");
    }

    /** Its cells: every {@code of}-th of these. */
    public List<Cell> of(List<Cell> all) {
        return IntStream.range(0, all.size())
                .filter(place -> place % of == index - 1)
                .mapToObj(all::get)
                .toList();
    }

    @Override
    public String toString() {
        return index + "/" + of;
    }
}
