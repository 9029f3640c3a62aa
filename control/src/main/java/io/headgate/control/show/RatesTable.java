package io.headgate.control.show;

import io.headgate.control.daemon.DaemonException;
import io.headgate.control.report.RatesSection;
import io.headgate.hostagent.rate.FlowRates;
import java.util.List;

/** The rate of each flow of a host, and the congestion point that sets it. */
public final class RatesTable implements ShowTable {
    @Override
    public Heading heading() {
        return Heading.of(
                "rates", "with --host: the rate of each flow, and the mechanism that set it");
    }

    @Override
    public String text(ShowRequest request) throws DaemonException {
        List<FlowRates.Row> rows = request.rates();
        if (rows == null) {
            return "this host has no rate control; add rate-control to its configuration\n";
        }
        return rows.isEmpty() ? "no flow has been sent yet\n" : RatesSection.table(rows);
    }

    @Override
    public Object json(ShowRequest request) throws DaemonException {
        record Rates(boolean controlled, List<RatesSection.Row> rates) {}

        List<FlowRates.Row> rows = request.rates();
        return new Rates(rows != null, RatesSection.shown(rows == null ? List.of() : rows));
    }
}
