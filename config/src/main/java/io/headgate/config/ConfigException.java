package io.headgate.config;

import java.util.List;
import java.util.stream.Collectors;

/** A configuration that cannot be used, with everything that is wrong in it. */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String message;
    private final transient List<ConfigProblem> problems;

    public ConfigException(List<ConfigProblem> problems) {
        message = problems.stream().map(ConfigProblem::toString).collect(Collectors.joining("\n"));
        this.problems = List.copyOf(problems);
    }

    /**
     * A configuration each of whose parts is allowed, and that cannot be used as a whole.
     *
     * @param sentence what is wrong, and what to do
     * @param cause what found it
     */
    public ConfigException(String sentence, Throwable cause) {
        super(cause);
        message = sentence;
        problems = List.of();
    }

    /** All problems, one in each line. */
    @Override
    public String getMessage() {
        return message;
    }

    /** What is wrong, in the order of the file; empty where it is the whole. */
    public List<ConfigProblem> problems() {
        return problems;
    }
}
