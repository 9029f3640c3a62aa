package io.headgate.testbed.scenario.cli;

import io.headgate.config.ConfigException;
import io.headgate.config.Reason;
import io.headgate.config.read.FileKind;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Words;
import io.headgate.testbed.scenario.file.ScenarioReader;
import io.headgate.testbed.scenario.report.Result.ScenarioText;
import io.headgate.testbed.scenario.shipped.Scenarios;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Finds the scenario that the command line names: one on the class path, or a file. */
final class ScenarioFinder {
    private static final long MAX_BYTES = 4 << 20;

    private ScenarioFinder() {}

    /** A scenario, and the file that it came from, if any. */
    record Found(Scenario scenario, @Nullable ScenarioText file) {}

    /**
     * The scenario with a name; if there is none, the one in a file, with any extension.
     *
     * @throws ConfigException if its file is wrong, with everything that is
     */
    static Found find(String nameOrFile) throws ScenarioException {
        if (!isFile(nameOrFile)) {
            return new Found(Scenarios.named(nameOrFile), null);
        }
        String text = read(nameOrFile);
        Path directory = pathOf(nameOrFile).toAbsolutePath().getParent();
        try {
            if (directory != null) {
                text = ScenarioReader.withNamedFiles(text, nameOrFile, directory);
            }
            return new Found(
                    ScenarioReader.read(text, nameOrFile), new ScenarioText(nameOrFile, text));
        } catch (ConfigException e) {
            String other = FileKind.SCENARIO.refusal(text, Path.of(nameOrFile));
            if (other != null) {
                throw new ScenarioException(other, e);
            }
            throw e;
        }
    }

    static String text(String nameOrFile) throws ScenarioException {
        return isFile(nameOrFile) ? read(nameOrFile) : Scenarios.text(nameOrFile);
    }

    /** Names have neither dots nor slashes; a scenario's name is one whatever file lies here. */
    private static boolean isFile(String nameOrFile) throws ScenarioException {
        if (nameOrFile.indexOf('.') >= 0 || nameOrFile.indexOf('/') >= 0) {
            return true;
        }
        return Files.isRegularFile(pathOf(nameOrFile)) && !Scenarios.names().contains(nameOrFile);
    }

    private static Path pathOf(String path) throws ScenarioException {
        try {
            return Path.of(path);
        } catch (InvalidPathException e) {
            throw new ScenarioException("there is no file " + Words.shown(path), e);
        }
    }

    private static String read(String path) throws ScenarioException {
        try {
            Path file = pathOf(path);
            if (Files.size(file) > MAX_BYTES) {
                throw new ScenarioException(path + " is larger than 4 MiB");
            }
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            throw new ScenarioException("there is no file " + Words.shown(path), e);
        } catch (CharacterCodingException e) {
            throw new ScenarioException(path + " is not text in UTF-8", e);
        } catch (IOException e) {
            throw new ScenarioException("cannot read " + path + ": " + Reason.of(e), e);
        }
    }

    /** The scenario of a result that is read back. */
    static Scenario again(String name, @Nullable ScenarioText file) throws ScenarioException {
        return file == null ? Scenarios.named(name) : ScenarioReader.read(file.text(), file.path());
    }
}
