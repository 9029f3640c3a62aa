package io.headgate.testbed.lab.policy;

import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.report.RunReport.Section;
import io.headgate.control.report.Table;
import io.headgate.control.report.Table.Heading;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.openqueue.PolicyCounter;
import io.headgate.dataplane.openqueue.language.Policy;
import java.util.ArrayList;
import java.util.List;

/** The counters of the queues of ports' OpenQueue policies, since each policy was loaded. */
public final class PolicyQueues {
    /** The queues of a port that a policy lays out, as configuration calls them. */
    public static final String MECHANISM = "policy";

    private final List<List<String>> rows = new ArrayList<>();

    /**
     * Notes what each queue with traffic has counted, at a port that has a policy.
     *
     * @param phase that has just ended
     * @param name of the port, for people
     * @param counters of its switch
     * @param port its name there
     */
    public void add(String phase, String name, CounterSnapshot counters, String port) {
        for (int queue = 0; queue < Policy.MOST_QUEUES; queue++) {
            if (value(counters, port, PolicyCounter.TOTAL, queue) == 0) {
                continue;
            }
            List<String> cells = new ArrayList<>(List.of(phase, name, Integer.toString(queue)));
            for (PolicyCounter counter : PolicyCounter.values()) {
                cells.add(Long.toString(value(counters, port, counter, queue)));
            }
            rows.add(cells);
        }
    }

    private static long value(
            CounterSnapshot counters, String port, PolicyCounter counter, int queue) {
        return counters.value(
                Scope.EGRESS, port, counter.text().of(MECHANISM).atQueue(queue).label());
    }

    /** Whether no queue was noted. */
    public boolean isEmpty() {
        return rows.isEmpty();
    }

    /** All of them. */
    public Section section() {
        List<Heading> headings = new ArrayList<>();
        headings.add(new Heading("phase", "the phase at whose end the queue was counted"));
        headings.add(new Heading("port", "the port to which the phase's flows went"));
        headings.add(new Heading(">queue", "its number in the port's policy"));
        for (PolicyCounter counter : PolicyCounter.values()) {
            headings.add(
                    new Heading(
                            ">" + counter.text().label(),
                            counter.text().description() + ", since the policy was loaded"));
        }
        Table table = new Table(headings);
        rows.forEach(row -> table.row(row.toArray(String[]::new)));
        return new Section("Queues", rows, "of OpenQueue policies, each with traffic", table);
    }
}
