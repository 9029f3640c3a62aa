package io.headgate.control.cli;

/**
 * Contributes one subcommand to {@code headgate}. Modules that {@code control} may not depend on
 * (the test bed, the benchmarks) name their implementation in {@code
 * META-INF/services/io.headgate.control.cli.CommandProvider}.
 */
public interface CommandProvider {

    /** An object annotated with picocli's {@code @Command}, whose name becomes the word. */
    Object command();

    /**
     * The command that it is a subcommand of, such as {@code bench}: it is left out where that one
     * is not there. Empty: it is a command itself.
     */
    default String below() {
        return "";
    }

    /** Whether it describes all other commands, as pages of help do. */
    default boolean describesOthers() {
        return false;
    }
}
