package io.headgate.control.show;

import io.headgate.config.key.TypeArgument;
import io.headgate.control.daemon.DaemonException;
import io.headgate.control.report.Json;
import io.headgate.control.report.Table;
import io.headgate.control.report.Table.Column;
import io.headgate.control.run.RunningSwitch;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * A table of what only the running switch knows.
 *
 * @param <R> a row, which programs get as it is: a record
 */
public interface SwitchTable<R> extends SwitchAnswer {
    @Override
    List<R> answer(RunningSwitch running) throws DaemonException;

    /**
     * How the rows are read from the answer: by default as arrays of what the class's type names.
     */
    @SuppressWarnings("unchecked") // what stands for R in the class's own type
    default Class<R[]> rows() {
        return (Class<R[]>) TypeArgument.of(getClass(), SwitchTable.class, "rows").arrayType();
    }

    /** What a person sees of each row, from left to right. */
    List<Column<R>> columns();

    /** What a person sees where there is no row: a line without its end. */
    default String none() {
        return "no ports";
    }

    @Override
    default String text(JsonNode answer) {
        return answer.isEmpty()
                ? none() + "\n"
                : Table.of(Json.list(answer, rows()), columns()).toString();
    }
}
