package io.headgate.control.show;

import static io.headgate.control.report.Table.column;

import io.headgate.control.link.LinkRow;
import io.headgate.control.report.Table.Column;
import io.headgate.control.run.RunningSwitch;
import java.util.List;

/** The states of a switch's links: down, late, losing frames. */
public final class LinksTable implements SwitchTable<LinkRow> {
    @Override
    public Heading heading() {
        return Heading.of(
                "links",
                "the links of the ports: up or down, delays, faults and lost frames",
                "link");
    }

    @Override
    public List<LinkRow> answer(RunningSwitch running) {
        return LinkRow.of(running);
    }

    @Override
    public List<Column<LinkRow>> columns() {
        return List.of(
                column("port", LinkRow::port),
                column("link", row -> row.link().isEmpty() ? "-" : row.link()),
                column("state", row -> row.up() ? "up" : "down"),
                column("received", LinkRow::towardsHere),
                column(">lost (frames)", LinkRow::lostHere),
                column("sent", LinkRow::towardsFar),
                column(">lost (frames)", LinkRow::lostFar));
    }
}
