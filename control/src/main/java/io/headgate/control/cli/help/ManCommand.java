package io.headgate.control.cli.help;

import io.headgate.config.Reason;
import io.headgate.control.cli.CommandFailure;
import io.headgate.control.cli.HeadgateCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code headgate man DIR}: writes a manual page for each command. */
@Command(
        name = "man",
        description = {
            "Writes manual pages of all commands into a directory.",
            "Example: headgate man ~/.local/share/man/man1, then man headgate-lab"
        })
public final class ManCommand extends HeadgateCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "DIR",
            description = "The directory; it is created if it does not exist.")
    private Path directory;

    @Override
    public boolean describesOthers() {
        return true;
    }

    @Override
    public Integer call() throws CommandFailure {
        try {
            Files.createDirectories(directory);
            int pages = write(spec().root().commandLine());
            out().println(pages + " manual pages are in " + directory);
            return 0;
        } catch (IOException e) {
            throw new CommandFailure("cannot write manual pages: " + Reason.of(e));
        }
    }

    private int write(CommandLine command) throws IOException {
        Files.writeString(
                directory.resolve(ManPage.name(command) + ".1"), new ManPage(command).write());
        int pages = 1;
        for (CommandLine one : command.getSubcommands().values().stream().distinct().toList()) {
            pages += write(one);
        }
        return pages;
    }
}
