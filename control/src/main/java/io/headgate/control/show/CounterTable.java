package io.headgate.control.show;

import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.report.Table;
import io.headgate.control.report.Table.Column;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A table made of counters alone, which any user may read. They are asked for by their typed names,
 * or by label; one that nothing counts is an error, and no 0.
 *
 * @param <R> a row, which programs get as it is: a record
 */
public interface CounterTable<R> extends ShowTable {
    /**
     * The rows.
     *
     * @param seconds over which the counters came together; 0: since the switch started
     */
    List<R> rows(CounterSnapshot counters, double seconds);

    /** What a person sees of each row, from left to right. */
    List<Column<R>> columns(List<R> rows, double seconds);

    /** What a person sees where there is no row: a line without its end. */
    default String none(double seconds) {
        return "no ports";
    }

    /** The rows' key in JSON. */
    default String key() {
        return name();
    }

    @Override
    default boolean isOfPorts() {
        return true;
    }

    @Override
    default String text(ShowRequest request) throws DaemonException, InterruptedException {
        List<R> rows = rows(request.counters(), request.seconds());
        return rows.isEmpty()
                ? none(request.seconds()) + "\n"
                : Table.of(rows, columns(rows, request.seconds())).toString();
    }

    @Override
    default Map<String, Object> json(ShowRequest request)
            throws DaemonException, InterruptedException {
        return json(request, key(), rows(request.counters(), request.seconds()));
    }

    /** Rows below their key, with the time in which they came together. */
    static Map<String, Object> json(ShowRequest request, String key, List<?> rows)
            throws DaemonException, InterruptedException {
        Map<String, Object> map = new LinkedHashMap<>();
        if (request.seconds() != 0) {
            map.put("seconds", request.seconds());
        }
        map.put(key, rows);
        return map;
    }
}
