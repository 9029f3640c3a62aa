package io.headgate.config;

import java.util.List;
import java.util.stream.Collectors;

/** Reports a configuration that cannot be used, with all its problems. */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String message;
    private final transient List<ConfigProblem> problems;

    public ConfigException(List<ConfigProblem> problems) {
        message = problems.stream().map(ConfigProblem::toString).collect(Collectors.joining("\n"));
        this.problems = List.copyOf(problems);
    }

    /**
     * Reports a configuration whose parts are all allowed, but which cannot be used as a whole.
     *
     * @param sentence what is wrong, and what to do
     * @param cause the exception that found it
     */
    public ConfigException(String sentence, Throwable cause) {
        super(cause);
        message = sentence;
        problems = List.of();
    }

    /** All problems, one per line. */
    @Override
    public String getMessage() {
        return message;
    }

    /** The problems, in the order of the file; empty if the configuration as a whole is wrong. */
    public List<ConfigProblem> problems() {
        return problems;
    }
}
