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

    /** All problems, one in each line. */
    @Override
    public String getMessage() {
        return message;
    }

    /** What is wrong, in the order of the file; never empty. */
    public List<ConfigProblem> problems() {
        return problems;
    }
}
