package io.headgate.control.show;

import java.util.List;

/**
 * The names by which a person asks for a table, and its title in {@code show --help}.
 *
 * @param name lower case with hyphens, unlike all others
 */
public record Heading(String name, String title, List<String> aliases) {

    public static Heading of(String name, String title, String... aliases) {
        return new Heading(name, title, List.of(aliases));
    }
}
