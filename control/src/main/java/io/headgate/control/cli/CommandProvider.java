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
     * The parent command, such as {@code bench}; without that command, this one is left out. Empty:
     * it is not a subcommand.
     */
    default String below() {
        return "";
    }

    /** Whether it describes all other commands, as pages of help do. */
    default boolean describesOthers() {
        return false;
    }
}
