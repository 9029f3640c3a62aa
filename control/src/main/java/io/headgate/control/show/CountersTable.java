package io.headgate.control.show;

import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.counters.SonicNames;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.report.SwitchSection;
import io.headgate.control.report.Table;
import io.headgate.dataplane.counter.CounterDirectory.Entry;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.CounterId.Kind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Every counter that is not zero; programs get all. */
public class CountersTable implements ShowTable {
    private final @Nullable Kind only;

    /** For {@link java.util.ServiceLoader}. */
    public CountersTable() {
        this(null);
    }

    CountersTable(@Nullable Kind only) {
        this.only = only;
    }

    @Override
    public Heading heading() {
        return Heading.of("counters", "every counter");
    }

    @Override
    public boolean isOfPorts() {
        return true;
    }

    /** The rows' key in JSON. */
    String key() {
        return name();
    }

    @Override
    public String text(ShowRequest request) throws DaemonException, InterruptedException {
        CounterSnapshot counters = request.counters();
        boolean sonic = request.namesOfSonic();
        Table table =
                sonic
                        ? new Table("of", "counter", ">value", "unit", "SONiC", "meaning")
                        : new Table("of", "counter", ">value", "unit", "meaning");
        for (int i = 0; i < counters.entries().size(); i++) {
            Entry entry = counters.entries().get(i);
            if (counters.value(i) != 0 && isShown(entry)) {
                List<String> cells =
                        new ArrayList<>(
                                List.of(
                                        owner(entry),
                                        entry.label(),
                                        Long.toString(counters.value(i)),
                                        entry.unit(),
                                        entry.description()));
                if (sonic) {
                    String name = SonicNames.of(entry.label(), entry.scope() == Scope.INGRESS);
                    cells.add(cells.size() - 1, name.isEmpty() ? "-" : name);
                }
                table.row(cells.toArray(String[]::new));
            }
        }
        return table.toString();
    }

    private boolean isShown(Entry entry) {
        return only == null || entry.kind() == only;
    }

    private static String owner(Entry entry) {
        return switch (entry.scope()) {
            case INGRESS -> entry.owner() + " in";
            case EGRESS -> entry.owner() + " out";
            case WORKER, SWITCH -> entry.owner();
        };
    }

    @Override
    public Object json(ShowRequest request) throws DaemonException, InterruptedException {
        CounterSnapshot counters = request.counters();
        List<SwitchSection.Counter> all = new ArrayList<>();
        for (int i = 0; i < counters.entries().size(); i++) {
            Entry entry = counters.entries().get(i);
            if (isShown(entry)) {
                all.add(SwitchSection.Counter.of(entry, counters.value(i)));
            }
        }
        return CounterTable.json(request, key(), all);
    }
}
