package io.headgate.control.cli;

import io.headgate.control.daemon.DaemonException;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code headgate clear}: resets watermarks. */
@Command(
        name = "clear",
        description = {
            "Resets the watermarks of a running switch: the longest queues, occupancies, duty"
                    + " cycles and late wake-ups. Totals are not reset."
        })
public final class ClearCommand extends HeadgateCommand implements Callable<Integer> {
    @Mixin private final JsonOption json = new JsonOption();

    @Mixin private final SwitchChoice choice = new SwitchChoice();

    @Override
    public Integer call() throws DaemonException {
        choice.ask("clear");
        print(
                json.answer(
                        Map.of("cleared", "watermarks"),
                        () ->
                                "watermarks are reset; 'headgate show --since' shows what happens"
                                        + " from now on\n"));
        return 0;
    }
}
