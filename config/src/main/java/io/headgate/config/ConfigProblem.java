package io.headgate.config;

/**
 * One thing that is wrong in a configuration.
 *
 * @param line line in the file, from 1; 0 where the file as a whole is meant
 * @param column column in the line, from 1; 0 where the file as a whole is meant
 * @param path where in the configuration, as in {@code ports[2].rate}; empty for the whole
 * @param found what stands there
 * @param allowed what may stand there, with an example
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
