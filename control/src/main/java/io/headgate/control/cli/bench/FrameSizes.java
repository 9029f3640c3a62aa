package io.headgate.control.cli.bench;

import java.util.List;
import picocli.CommandLine.Option;

/** The frame sizes of a benchmark. */
public final class FrameSizes {
    private static final int MIN_BYTES = 64;
    private static final int MAX_BYTES = 1518;

    @Option(
            names = "--sizes",
            split = ",",
            defaultValue = "64,128,256,512,1024,1280,1518",
            paramLabel = "BYTES",
            description = "frame sizes with FCS, 64 to 1518 (default: RFC 2544's)")
    private List<Integer> sizes;

    public List<Integer> checked(BenchRun run) {
        for (int size : sizes) {
            run.require(
                    size >= MIN_BYTES && size <= MAX_BYTES,
                    "--sizes: 64 to 1518 bytes are allowed, not " + size);
        }
        return sizes;
    }
}
