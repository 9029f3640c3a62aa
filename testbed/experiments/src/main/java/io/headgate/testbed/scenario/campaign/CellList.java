package io.headgate.testbed.scenario.campaign;

import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Words;
import java.util.BitSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Numbers of cells as text: {@code 7,19..33,40..96:8}. A long regular list, such as the cells that
 * one shard has not run, stays short.
 */
public final class CellList {
    private static final Pattern ITEM =
            Pattern.compile("(\\d{1,6})(?:\\.\\.(\\d{1,6})(?::(\\d{1,6}))?)?");

    /** Fewer than this in a row are as short one by one. */
    private static final int WORTH_A_RANGE = 3;

    private static final int STEPS_TRIED = 16;

    private CellList() {}

    /**
     * Reads a list.
     *
     * @param cellsInAll number of the sweep's cells; all numbers must be below it
     * @throws ScenarioException if it is not a list of such numbers
     */
    public static BitSet parse(String text, int cellsInAll) throws ScenarioException {
        BitSet cells = new BitSet();
        for (String item : text.split(",", -1)) {
            Matcher matcher = ITEM.matcher(item.strip());
            if (!matcher.matches()) {
                throw wrong(text, cellsInAll);
            }
            int from = Integer.parseInt(matcher.group(1));
            int to = matcher.group(2) == null ? from : Integer.parseInt(matcher.group(2));
            int step = matcher.group(3) == null ? 1 : Integer.parseInt(matcher.group(3));
            if (to < from || step == 0 || to >= cellsInAll) {
                throw wrong(text, cellsInAll);
            }
            for (int cell = from; cell <= to; cell += step) {
                cells.set(cell);
            }
        }
        return cells;
    }

    private static ScenarioException wrong(String text, int cellsInAll) {
        return new ScenarioException(
                "--cells cannot be '"
                        + Words.shown(text)
                        + "': allowed are numbers of runs from 0 to "
                        + (cellsInAll - 1)
                        + " and ranges FROM..TO or FROM..TO:STEP, with commas between them");
    }

    /** A short list that {@link #parse} reads back: it uses the longest range from each cell. */
    public static String format(BitSet cells) {
        StringBuilder text = new StringBuilder();
        BitSet left = (BitSet) cells.clone();
        for (int from = left.nextSetBit(0); from >= 0; from = left.nextSetBit(from)) {
            int step = longestStep(left, from);
            int count = count(left, from, step);
            int to = from + (count - 1) * step;
            text.append(text.isEmpty() ? "" : ",").append(from);
            if (count >= WORTH_A_RANGE) {
                text.append("..").append(to).append(step == 1 ? "" : ":" + step);
                for (int cell = from; cell <= to; cell += step) {
                    left.clear(cell);
                }
            } else {
                left.clear(from);
            }
        }
        return text.toString();
    }

    /** Where parts of several shards are left, the next cell is another one's. */
    private static int longestStep(BitSet cells, int from) {
        int best = 1;
        int longest = 0;
        int next = cells.nextSetBit(from + 1);
        for (int tried = 0; next >= 0 && tried < STEPS_TRIED; tried++) {
            int count = count(cells, from, next - from);
            if (count > longest) {
                longest = count;
                best = next - from;
            }
            next = cells.nextSetBit(next + 1);
        }
        return best;
    }

    private static int count(BitSet cells, int from, int step) {
        int count = 1;
        while (cells.get(from + count * step)) {
            count++;
        }
        return count;
    }
}
