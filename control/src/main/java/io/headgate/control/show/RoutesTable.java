package io.headgate.control.show;

import static io.headgate.control.report.Table.column;

import io.headgate.control.daemon.DaemonException;
import io.headgate.control.report.Table.Column;
import io.headgate.control.run.RunningSwitch;
import io.headgate.control.run.RunningSwitch.Route;
import java.util.List;

/** The routes of a router. */
public final class RoutesTable implements SwitchTable<Route> {
    @Override
    public Heading heading() {
        return Heading.of("routes", "the routes of a router", "route");
    }

    @Override
    public List<Route> answer(RunningSwitch running) throws DaemonException {
        requireRouter(running, name());
        return running.routes();
    }

    /** Refuses a table that only routers have, unless the switch is one. */
    static void requireRouter(RunningSwitch running, String what) throws DaemonException {
        if (!running.isRouter()) {
            throw new DaemonException(
                    ("switch %s is a bridge and has no %s; 'headgate show fdb' shows the addresses"
                                    + " that it has learned")
                            .formatted(running.config().name(), what));
        }
    }

    @Override
    public List<Column<Route>> columns() {
        return List.of(
                column("network", Route::prefix),
                column(
                        "via",
                        route ->
                                route.via().isEmpty()
                                        ? "directly"
                                        : String.join(", ", route.via())),
                column("port", Route::port),
                column("state", Route::state));
    }

    @Override
    public String none() {
        return "no routes";
    }
}
