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
 * A table of data that only the running switch has.
 *
 * @param <R> a row, which programs get as it is: a record
 */
public interface SwitchTable<R> extends SwitchAnswer {
    @Override
    List<R> answer(RunningSwitch running) throws DaemonException;

    /**
     * The type as which the rows are read from the answer: by default an array of the class's type
     * argument.
     */
    @SuppressWarnings("unchecked") // what stands for R in the class's own type
    default Class<R[]> rows() {
        return (Class<R[]>) TypeArgument.of(getClass(), SwitchTable.class, "rows").arrayType();
    }

    /** The columns for a person, from left to right. */
    List<Column<R>> columns();

    /** The text for a person if there is no row: a line without its end. */
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
