package io.headgate.testbed.scenario;

import java.util.Set;

/**
 * What a scenario is, for a list and at the head of its report.
 *
 * @param name for the command line: lower-case letters, digits and hyphens
 * @param title what it shows, in a line
 * @param source where it comes from: a paper's figure, a book, a formula
 * @param claim what the source says, in a sentence or two
 * @param beds on which it can run
 * @param scale by which a real bed is slower where nothing else is said
 */
public record About(
        String name, String title, String source, String claim, Set<BedKind> beds, double scale) {
    public About {
        beds = Set.copyOf(beds);
    }

    /** One that runs in virtual time only. */
    public About(String name, String title, String source, String claim) {
        this(name, title, source, claim, Set.of(BedKind.VIRTUAL), 1);
    }
}
