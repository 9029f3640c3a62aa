package io.headgate.control.doctor;

import io.headgate.control.report.Prose;
import java.util.List;

/**
 * A fault that the doctor found, with its remedy.
 *
 * @param remedy the command that repairs it, word by word; empty if no command does
 * @param advice what to do if no command repairs it; empty if one does
 */
public record Finding(String what, String where, List<String> remedy, String advice) {

    /** A fault that a command repairs. */
    public static Finding mendable(String what, String where, String... remedy) {
        return new Finding(what, where, List.of(remedy), "");
    }

    /** A fault that a person must repair. */
    public static Finding advised(String what, String where, String advice) {
        return new Finding(what, where, List.of(), advice);
    }

    /** The command or the advice, as text. */
    public String mend() {
        return remedy.isEmpty() ? advice : String.join(" ", remedy);
    }

    /** The place, the fault, and the command that repairs it, on a line of its own for copying. */
    @Override
    public String toString() {
        return remedy.isEmpty()
                ? Prose.folded(where + ": " + what + "; " + advice, 2)
                : Prose.folded(where + ": " + what + "; run", 2) + "\n  " + mend();
    }
}
