package io.headgate.testbed.scenario;

import java.util.Set;

/**
 * The description of a scenario, for lists and for the head of its report.
 *
 * @param name name on the command line: lower-case letters, digits and hyphens
 * @param title what it shows, in a line
 * @param source its origin: a paper's figure, a book, a formula
 * @param claim what the source says, in a sentence or two
 * @param beds beds on which it can run
 * @param scale default factor by which a real bed is slower
 */
public record About(
        String name, String title, String source, String claim, Set<BedKind> beds, double scale) {
    public About {
        beds = Set.copyOf(beds);
    }

    /** A scenario that runs only in virtual time. */
    public About(String name, String title, String source, String claim) {
        this(name, title, source, claim, Set.of(BedKind.VIRTUAL), 1);
    }
}
