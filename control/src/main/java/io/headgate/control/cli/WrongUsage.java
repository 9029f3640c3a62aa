package io.headgate.control.cli;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Shows what is wrong with a command line as its sentence, with the command that shows what is
 * allowed. A page of help would push the sentence off the screen, so only commands that need
 * another word after them show theirs: it is the list of these words.
 */
final class WrongUsage implements IParameterExceptionHandler {
    @Override
    public int handleParseException(ParameterException wrong, String[] args) {
        CommandLine command = wrong.getCommandLine();
        PrintWriter err = command.getErr();
        String message = String.valueOf(wrong.getMessage());
        err.println(message.startsWith("headgate ") ? message : "headgate: " + message);
        if (!UnmatchedArgumentException.printSuggestions(wrong, err)) {
            if (command.getParent() != null && !needsAnotherWord(command)) {
                String name = command.getCommandSpec().qualifiedName();
                err.println("'" + name + " --help' shows what is allowed.");
            } else {
                command.usage(err);
            }
        }
        err.flush();
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    private static boolean needsAnotherWord(CommandLine command) {
        return !command.getSubcommands().isEmpty()
                && command.getCommandSpec().positionalParameters().isEmpty();
    }
}
