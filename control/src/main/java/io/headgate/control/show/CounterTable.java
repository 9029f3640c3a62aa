package io.headgate.control.show;

import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.report.Table;
import io.headgate.control.report.Table.Column;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A table made from counters alone, which any user may read. Counters are looked up by their typed
 * names, or by label; a counter that does not exist is an error, not 0.
 *
 * @param <R> a row, which programs get as it is: a record
 */
public interface CounterTable<R> extends ShowTable {
    /**
     * The rows.
     *
     * @param seconds time over which the counters counted; 0: since the switch started
     */
    List<R> rows(CounterSnapshot counters, double seconds);

    /** The columns for a person, from left to right. */
    List<Column<R>> columns(List<R> rows, double seconds);

    /** The text for a person if there is no row: a line without its end. */
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

    /** The rows under their key, with the time over which they were counted. */
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
