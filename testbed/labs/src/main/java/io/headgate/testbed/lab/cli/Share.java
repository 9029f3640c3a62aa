package io.headgate.testbed.lab.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.headgate.control.cli.CommandProvider;
import io.headgate.control.cli.Headgate;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.ServiceLoader;
import picocli.CommandLine;

/**
 * The program that the launcher runs for a distribution, to write what commands print for shells
 * and editors: a process for all of it, as each takes longer to start than to print. Nothing else
 * calls it.
 */
public final class Share {
    private final CommandLine headgate =
            Headgate.commandLine(ServiceLoader.load(CommandProvider.class));
    private final Path directory;

    /**
     * @param directory an existing one with {@code schema}, {@code completion} and {@code man/man1}
     */
    Share(Path directory) {
        this.directory = directory;
    }

    /**
     * Exits with the code of the first command that fails, or 0.
     *
     * @param args the directory
     */
    public static void main(String[] args) throws IOException {
        Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT);
        int code = new Share(Path.of(args[0])).write();
        if (code != 0) {
            System.exit(code);
        }
    }

    /** Answers the code of the first command that fails, or 0. */
    int write() throws IOException {
        for (String kind : SchemaCommand.KINDS) {
            int code = write("schema/headgate-" + kind + ".schema.json", "schema", kind);
            if (code != 0) {
                return code;
            }
        }
        int code = write("completion/headgate", "completion");
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        return code != 0 ? code : run(nowhere, "man", directory.resolve("man/man1").toString());
    }

    private int write(String file, String... words) throws IOException {
        Path path = directory.resolve(file);
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(path, UTF_8))) {
            int code = run(out, words);
            if (out.checkError()) {
                throw new IOException("cannot write " + path);
            }
            return code;
        }
    }

    private int run(PrintWriter out, String... words) {
        return headgate.setOut(out).execute(words);
    }
}
