package io.headgate.control.show;

import static io.headgate.control.report.Table.column;

import io.headgate.control.daemon.DaemonException;
import io.headgate.control.report.Table.Column;
import io.headgate.control.run.RunningSwitch;
import io.headgate.control.run.RunningSwitch.FdbEntry;
import java.util.List;

/** The addresses that a bridge knows. */
public final class FdbTable implements SwitchTable<FdbEntry> {
    @Override
    public Heading heading() {
        return Heading.of("fdb", "the MAC addresses that a bridge knows", "mac");
    }

    @Override
    public List<FdbEntry> answer(RunningSwitch running) throws DaemonException {
        if (running.isRouter()) {
            throw new DaemonException(
                    ("switch %s is a router and learns no MAC addresses; use 'headgate show"
                                    + " neighbours' and 'headgate show routes'")
                            .formatted(running.config().name()));
        }
        return running.fdb();
    }

    @Override
    public List<Column<FdbEntry>> columns() {
        return List.of(
                column(">VLAN", FdbEntry::vlan),
                column("MAC address", FdbEntry::mac),
                column("port", FdbEntry::port),
                column("kind", one -> one.isStatic() ? "static" : "learned"),
                column(
                        ">idle at most (s)",
                        one -> one.isStatic() ? "-" : String.format("%.1f", one.idleMs() / 1e3)));
    }

    @Override
    public String none() {
        return "no addresses known";
    }
}
