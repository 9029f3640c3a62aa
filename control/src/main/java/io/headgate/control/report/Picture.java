package io.headgate.control.report;

import java.util.List;

/**
 * A figure of a report, drawn.
 *
 * @param name name for ids and files: lower-case letters, digits and hyphens
 * @param file path of the drawing, relative to the report's page
 * @param caption the text below it; terms may be empty
 */
public record Picture(
        String name, String svg, String file, Kind kind, List<HtmlPage.Headline> caption) {

    /** The kind of a figure. */
    public enum Kind {
        /** A plot, which also exists as PDF, as PNG and as CSV. */
        PLOT,
        /** A network; several stand side by side. */
        NETWORK
    }

    /** A figure with a sentence below it. */
    public Picture(String name, String svg, String file, Kind kind, String sentence) {
        this(name, svg, file, kind, List.of(new HtmlPage.Headline("", sentence)));
    }

    /**
     * Other forms of the same picture, next to the drawing: names of the forms, and their files.
     */
    List<HtmlPage.Headline> otherForms() {
        if (kind == Kind.NETWORK) {
            return List.of();
        }
        String stem = file.substring(0, file.length() - "svg".length());
        return List.of(
                new HtmlPage.Headline("CSV", stem + "csv"),
                new HtmlPage.Headline("PDF", stem + "pdf"),
                new HtmlPage.Headline("PNG", stem + "png"));
    }
}
