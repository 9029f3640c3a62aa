package io.headgate.config;

/**
 * One problem in a configuration.
 *
 * @param line line in the file, from 1; 0 for the file as a whole
 * @param column column in the line, from 1; 0 for the file as a whole
 * @param path place in the configuration, as in {@code ports[2].rate}; empty for the whole
 * @param found what the file has there
 * @param allowed what is allowed there, with an example
 */
public record ConfigProblem(
        String file, int line, int column, String path, String found, String allowed) {

    /** The problem as one line, with the position in the form that editors and terminals link. */
    @Override
    public String toString() {
        String position = line == 0 ? file : file + ":" + line + ":" + column;
        String place = path.isEmpty() ? "" : path + ": ";
        return position + ": " + place + "found " + found + "; allowed: " + allowed;
    }
}
