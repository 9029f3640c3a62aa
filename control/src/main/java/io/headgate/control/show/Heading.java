package io.headgate.control.show;

import java.util.List;

/**
 * How a person asks for a table, and what {@code show --help} says of it.
 *
 * @param name lower case with hyphens, unlike all others
 */
public record Heading(String name, String title, List<String> aliases) {

    public static Heading of(String name, String title, String... aliases) {
        return new Heading(name, title, List.of(aliases));
    }
}
