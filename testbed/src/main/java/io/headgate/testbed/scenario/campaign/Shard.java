package io.headgate.testbed.scenario.campaign;

import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Words;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A part of a sweep for one machine: every {@code of}-th cell, so that parts are alike where
 * neighbouring cells are.
 *
 * @param index from 1
 */
public record Shard(int index, int of) {
    /** All of it. */
    public static final Shard WHOLE = new Shard(1, 1);

    private static final Pattern FORM = Pattern.compile("([0-9]{1,5})/([0-9]{1,5})");

    /**
     * Reads {@code i/n}.
     *
     * @throws ScenarioException if it is not that, with 1 <= i <= n
     */
    public static Shard parse(String text) throws ScenarioException {
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
                        + "': allowed is i/n with i from 1 to n, for example 1/4");
    }

    /** Whether it is not a part but all. */
    public boolean isWhole() {
        return of == 1;
    }

    /** Its cells, of all of a sweep. */
    public List<Cell> of(List<Cell> all) {
        return all.stream().filter(cell -> cell.index() % of == index - 1).toList();
    }

    @Override
    public String toString() {
        return index + "/" + of;
    }
}
