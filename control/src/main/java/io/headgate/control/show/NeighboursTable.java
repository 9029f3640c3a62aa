package io.headgate.control.show;

import static io.headgate.control.report.Table.column;

import io.headgate.control.daemon.DaemonException;
import io.headgate.control.report.Table.Column;
import io.headgate.control.run.RunningSwitch;
import io.headgate.control.run.RunningSwitch.Neighbour;
import java.util.List;

/** The neighbour table of a router. */
public final class NeighboursTable implements SwitchTable<Neighbour> {
    @Override
    public Heading heading() {
        return Heading.of("neighbours", "the neighbours of a router", "arp", "neighbors");
    }

    @Override
    public List<Neighbour> answer(RunningSwitch running) throws DaemonException {
        RoutesTable.requireRouter(running, name());
        return running.neighbours();
    }

    @Override
    public List<Column<Neighbour>> columns() {
        return List.of(
                column("address", Neighbour::address),
                column("MAC address", one -> one.mac().isEmpty() ? "not known yet" : one.mac()),
                column("port", Neighbour::port));
    }

    @Override
    public String none() {
        return "no neighbours known";
    }
}
