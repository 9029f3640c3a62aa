package io.headgate.perf.cli;

import io.headgate.control.cli.bench.BenchException;
import io.headgate.control.cli.bench.BenchRun;
import io.headgate.control.report.RunReport;
import io.headgate.control.report.RunReport.Check;
import io.headgate.control.report.RunReport.Section;
import io.headgate.control.report.Table;
import io.headgate.perf.allocation.AllocationCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headgate bench allocation}: checks that worker threads allocate nothing. */
@Command(
        name = "allocation",
        mixinStandardHelpOptions = true,
        description =
                "Checks that warm worker threads allocate 0 bytes, both while frames flow and when"
                        + " idle.")
final class AllocationCommand implements Callable<Integer> {
    private static final String KINDS = "memory,afpacket,afxdp,tap,pcap,pcap-file,vxlan";

    @Option(
            names = "--frames",
            defaultValue = "10000000",
            description = "number of frames per measurement (default: 10000000)")
    private long frames;

    @Option(
            names = "--device",
            split = ",",
            defaultValue = AllocationCommand.KINDS,
            paramLabel = "KIND",
            description = "of " + KINDS + " (default: all)")
    private List<String> kinds;

    @Mixin private BenchRun run;

    @Override
    public Integer call() {
        run.require(
                AllocationCheck.KINDS.containsAll(kinds) && frames >= 1,
                "--device: of " + KINDS + "; --frames: at least 1");
        AllocationCheck check = new AllocationCheck(run::say);
        return run.of(() -> measured(check), check::cancel);
    }

    private RunReport measured(AllocationCheck check) {
        RunReport report = new RunReport(run.line());
        report.options(Map.of("frames", frames, "device", kinds));
        Table table =
                new Table("device", ">warm-up (frames)", ">measured (frames)", ">measurements");
        List<AllocationCheck.Result> results = new ArrayList<>();
        for (String kind : kinds) {
            try {
                AllocationCheck.Result result = check.run(kind, frames);
                results.add(result);
                table.row(
                        kind,
                        Long.toString(result.warmUpFrames()),
                        Long.toString(result.frames()),
                        Integer.toString(result.measurements()));
                report.check(
                        new Check(
                                "allocated by workers, " + kind,
                                "bytes",
                                result.allocatedBytes(),
                                result.allocatedBytes(),
                                AllocationCheck.mostBytes(kind, result.frames())));
                report.check(
                        new Check(
                                "allocated by idle workers, " + kind,
                                "bytes",
                                result.idleBytes(),
                                result.idleBytes(),
                                0));
            } catch (BenchException failure) {
                report.problem(kind + ": " + failure.getMessage());
            }
        }
        report.add(new Section("Frames through a warm switch", results, table));
        return report;
    }
}
