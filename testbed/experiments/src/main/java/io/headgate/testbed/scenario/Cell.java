package io.headgate.testbed.scenario;

import io.headgate.config.Withers;
import java.util.StringJoiner;

/**
 * The settings of one run of a sweep: one value for every parameter, a seed, a bed.
 *
 * @param index place in the sweep, from 0; does not depend on how the sweep was split or in which
 *     order its runs ended
 * @param scale factor by which a real bed is slower than described; 1 in virtual time
 */
@Withers
public record Cell(int index, Values values, long seed, BedKind bed, double scale)
        implements CellBuilder.With {

    /** The parameters in which cells differ, for legends and messages. */
    public String label(Iterable<String> varied, boolean manySeeds, boolean manyBeds) {
        StringJoiner label = new StringJoiner(", ");
        for (String name : varied) {
            label.add(name + " " + values.text(name));
        }
        if (manySeeds) {
            label.add("seed " + seed);
        }
        if (manyBeds) {
            label.add(bed.word());
        }
        return label.toString();
    }
}
