package io.headgate.testbed.lab.measures;

import io.headgate.control.report.Median;
import io.headgate.testbed.lab.own.LabDerived;
import io.headgate.testbed.lab.own.LabDerived.OfRuns;
import io.headgate.testbed.lab.own.OwnLabSpec;
import java.util.List;
import java.util.stream.DoubleStream;

/** The numbers that a lab's file computes from one run. */
public interface RunMeasures {
    OwnLabSpec spec();

    /** One by its name; NaN: none. */
    double measured(String name);

    /** Whether the run has compared something by itself. */
    default boolean has(LabDerived.Expected one) {
        return false;
    }

    /**
     * A run that was repeated: each number is the median, or another statistic that its file
     * chooses.
     */
    record Medians(OwnLabSpec spec, List<RunMeasures> of) implements RunMeasures {
        public Medians {
            of = List.copyOf(of);
        }

        @Override
        public double measured(String name) {
            DoubleStream each = of.stream().mapToDouble(one -> one.measured(name));
            OfRuns wanted =
                    spec.derived().stream()
                            .filter(one -> one.name().equals(name))
                            .map(LabDerived::ofRuns)
                            .findFirst()
                            .orElse(OfRuns.MEDIAN);
            return switch (wanted) {
                case MEDIAN -> Median.of(each);
                case LEAST -> each.min().orElse(Double.NaN);
                case MOST -> each.max().orElse(Double.NaN);
            };
        }
    }
}
