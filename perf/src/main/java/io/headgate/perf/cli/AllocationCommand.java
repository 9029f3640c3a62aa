package io.headgate.perf.cli;

import io.headgate.control.report.Table;
import io.headgate.perf.allocation.AllocationCheck;
import io.headgate.perf.forwarding.BenchException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code headgate bench allocation}. */
@Command(
        name = "allocation",
        mixinStandardHelpOptions = true,
        description = "Bytes that worker threads allocate while frames flow, once warm: 0.")
final class AllocationCommand implements Callable<Integer> {
    @Option(
            names = "--frames",
            defaultValue = "10000000",
            description = "frames of a measurement (default: 10000000)")
    private long frames;

    @Option(
            names = "--device",
            split = ",",
            defaultValue = "memory,afpacket,afxdp,tap",
            paramLabel = "KIND",
            description = "of memory, afpacket, afxdp, tap (default: all)")
    private List<String> kinds;

    @Spec private CommandSpec spec;

    @Override
    public Integer call() {
        if (!AllocationCheck.KINDS.containsAll(kinds) || frames < 1) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--device: of memory, afpacket, afxdp, tap; --frames: at least 1");
        }
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter progress = spec.commandLine().getErr();
        AllocationCheck check =
                new AllocationCheck(line -> {
                    progress.println(line);
                    progress.flush();
                });
        Table table =
                new Table(
                        "device",
                        ">warm-up (frames)",
                        ">measured (frames)",
                        ">measurements",
                        ">allocated (bytes)");
        int code = 0;
        for (String kind : kinds) {
            try {
                AllocationCheck.Result result = check.run(kind, frames);
                table.row(
                        kind,
                        Long.toString(result.warmUpFrames()),
                        Long.toString(result.frames()),
                        Integer.toString(result.measurements()),
                        Long.toString(result.allocatedBytes()));
                code = result.allocatedBytes() == 0 ? code : 1;
            } catch (BenchException failure) {
                progress.println(kind + ": " + failure.getMessage());
                code = 1;
            }
        }
        progress.flush();
        out.print(table);
        out.flush();
        return code;
    }
}
