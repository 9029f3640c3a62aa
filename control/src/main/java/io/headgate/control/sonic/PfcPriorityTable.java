package io.headgate.control.sonic;

import static io.headgate.control.report.Table.column;

import io.headgate.config.FlowControlConfig;
import io.headgate.config.PortConfig;
import io.headgate.control.report.Table.Column;
import io.headgate.control.run.RunningSwitch;
import io.headgate.control.show.Heading;
import io.headgate.control.show.SwitchTable;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The priorities for which ports send pauses, and obey them. */
public final class PfcPriorityTable implements SwitchTable<PfcPriorityTable.Row> {
    /**
     * A port.
     *
     * @param asymmetric whether it obeys pauses of priorities for which it sends none; here never
     */
    public record Row(
            String port, String flowControl, List<Integer> lossless, boolean asymmetric) {}

    @Override
    public Heading heading() {
        return Heading.of(
                "pfc-priority",
                "the priorities for which each port sends and obeys pauses",
                "pfc-asymmetric");
    }

    @Override
    public List<Row> answer(RunningSwitch running) {
        return running.config().ports().stream().map(PfcPriorityTable::row).toList();
    }

    private static Row row(PortConfig port) {
        boolean isStopping = port.flowControl().mode() != FlowControlConfig.Mode.NONE;
        return new Row(
                port.name(),
                port.flowControl().mode().name().toLowerCase(Locale.ROOT),
                isStopping ? port.traffic().lossless().stream().sorted().toList() : List.of(),
                false);
    }

    @Override
    public List<Column<Row>> columns() {
        return List.of(
                column("port", Row::port),
                column("flow control", Row::flowControl),
                column(
                        "lossless priorities",
                        row ->
                                row.lossless.isEmpty()
                                        ? "none"
                                        : row.lossless.stream()
                                                .map(String::valueOf)
                                                .collect(Collectors.joining(", "))),
                column("asymmetric", row -> row.asymmetric ? "on" : "off"));
    }
}
