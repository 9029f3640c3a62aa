package io.headgate.control.show;

import static io.headgate.control.report.Table.column;

import io.headgate.control.report.Table.Column;
import io.headgate.control.run.RunningSwitch;
import io.headgate.dataplane.runner.ErrorRecord;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/** Errors since the switch was started, one line per kind. */
public final class ErrorsTable implements SwitchTable<ErrorRecord.Entry> {
    @Override
    public Heading heading() {
        return Heading.of("errors", "what went wrong, one line per kind");
    }

    @Override
    public List<ErrorRecord.Entry> answer(RunningSwitch running) {
        return running.errors();
    }

    @Override
    public List<Column<ErrorRecord.Entry>> columns() {
        return List.of(
                column(">times", ErrorRecord.Entry::count),
                column("first", error -> timeOfDay(error.firstEpochMs())),
                column("last", error -> timeOfDay(error.lastEpochMs())),
                column("what", error -> error.kind().meaning()),
                column("most recently", ErrorRecord.Entry::last));
    }

    private static String timeOfDay(long epochMs) {
        return DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT)
                .format(Instant.ofEpochMilli(epochMs).atZone(ZoneId.systemDefault()));
    }

    @Override
    public String none() {
        return "no errors since the switch was started";
    }
}
