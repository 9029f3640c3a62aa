package io.headgate.control.doctor;

import io.headgate.control.report.Prose;
import java.util.List;

/**
 * One thing that is wrong.
 *
 * @param remedy the command that repairs it, word by word; empty if no command does
 * @param advice what to do if no command repairs it; empty if one does
 */
public record Finding(String what, String where, List<String> remedy, String advice) {

    /** Corrected by a command. */
    public static Finding mendable(String what, String where, String... remedy) {
        return new Finding(what, where, List.of(remedy), "");
    }

    /** Corrected by a person. */
    public static Finding advised(String what, String where, String advice) {
        return new Finding(what, where, List.of(), advice);
    }

    /** The command or the advice, as text. */
    public String mend() {
        return remedy.isEmpty() ? advice : String.join(" ", remedy);
    }

    /** Where, what, and the command that repairs it, which has a line of its own for copying. */
    @Override
    public String toString() {
        return remedy.isEmpty()
                ? Prose.folded(where + ": " + what + "; " + advice, 2)
                : Prose.folded(where + ": " + what + "; run", 2) + "\n  " + mend();
    }
}
