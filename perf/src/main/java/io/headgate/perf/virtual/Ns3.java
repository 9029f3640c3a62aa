package io.headgate.perf.virtual;

import io.headgate.config.Reason;
import io.headgate.control.cli.bench.BenchException;
import io.headgate.perf.forwarding.Commands;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Runs ns-3 from Debian's package, with our program for it, which is compiled first. */
final class Ns3 {
    /** The ways in which frames are forwarded there. */
    static final List<String> MODES = List.of("internet", "bare");

    /** What the program prints of ns-3 itself. */
    static final String PROFILE = "profile";

    private static final String PACKAGE = "libns3-dev";
    private static final Path HEADER = Path.of("/usr/include/ns3/core-module.h");
    private static final String SOURCE = "hops.cc";
    private static final List<String> FLAGS = List.of("-std=c++17", "-O3", "-DNDEBUG");
    private static final List<String> LIBRARIES =
            List.of("-lns3-core", "-lns3-network", "-lns3-internet", "-lns3-point-to-point");
    private static final long COMPILE_SECONDS = 300;

    private final Path program;
    private final String compileCommand;

    private Ns3(Path program, String compileCommand) {
        this.program = program;
        this.compileCommand = compileCommand;
    }

    /** Why it cannot be measured here, if it cannot. */
    static Optional<String> whyNot() {
        boolean compiler = Commands.find("g++").isPresent();
        if (compiler && Files.exists(HEADER)) {
            return Optional.empty();
        }
        return Optional.of(
                "ns-3 is not measured: %s not installed (Debian: apt-get install g++ %s)"
                        .formatted(compiler ? HEADER + " is" : "g++ is", PACKAGE));
    }

    static String version() {
        return Commands.packageVersion(PACKAGE);
    }

    /** Compiles the program. */
    static Ns3 compile(Path directory) throws BenchException {
        Path source = directory.resolve(SOURCE);
        try (InputStream in = Ns3.class.getResourceAsStream(SOURCE)) {
            if (in == null) {
                throw new BenchException("the resource " + SOURCE + " is missing");
            }
            Files.copy(in, source);
        } catch (IOException failure) {
            throw new BenchException("cannot write " + source + ": " + Reason.of(failure), failure);
        }
        Path program = directory.resolve("hops");
        List<String> command = new ArrayList<>(List.of("g++"));
        command.addAll(FLAGS);
        command.addAll(List.of("-o", program.toString(), source.toString()));
        command.addAll(LIBRARIES);
        Commands.run(command, directory.resolve("g++.log"), COMPILE_SECONDS);
        return new Ns3(program, String.join(" ", command));
    }

    String compileCommand() {
        return compileCommand;
    }

    /** The command that runs a network. */
    List<String> command(String mode, Path network) {
        return List.of(program.toString(), mode, network.toString());
    }
}
