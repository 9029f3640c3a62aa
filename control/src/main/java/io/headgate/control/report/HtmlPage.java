package io.headgate.control.report;

import java.util.List;
import java.util.Locale;

/**
 * A report as one page: the verdict and the numbers that matter first, then figures and tables.
 * Nothing is loaded but figures that would make the page too large. One page, one thread.
 */
public final class HtmlPage {
    /** What figures may take of a page that is to be sent by mail. */
    private static final int FIGURE_CHARACTERS = 600_000;

    private static final String STYLE =
            """
            body{max-width:62em;margin:2em auto;padding:0 1em;font-family:sans-serif;color:#222}
            h1{font-size:1.5em}h2{margin-top:2em;border-bottom:1px solid #ccc}
            table{border-collapse:collapse;margin:1em 0;font-size:14px}
            table{display:block;overflow-x:auto}
            th,td{border:1px solid #ccc;padding:.3em .6em;text-align:left;vertical-align:top}
            th{background:#f4f4f4}.n{text-align:right;font-variant-numeric:tabular-nums}
            .pass{color:#00704d}.fail{color:#b04000}.part{color:#775500}
            .verdict{font-size:1.3em;font-weight:bold}
            .headline{display:flex;flex-wrap:wrap;gap:1em;margin:1em 0}
            .headline div{border:1px solid #ccc;padding:.5em 1em}
            .headline b{display:block;font-size:1.5em}
            figure{margin:1.5em 0}figcaption{margin-top:.3em}
            dt{font-weight:bold}dd{margin:0 0 .5em 1em}
            figure svg,figure img{width:100%;height:auto}figure.one{max-width:38em}
            pre{font-size:13px;overflow-x:auto;background:#f4f4f4;padding:.6em}
            """;

    /** A number that says what came out. */
    public record Headline(String name, String value) {}

    private final StringBuilder html = new StringBuilder();
    private int figureCharacters;

    /**
     * Begins a page.
     *
     * @param title what was run: the whole command
     */
    public HtmlPage(String title) {
        html.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>");
        html.append(escaped(title)).append("</title>\n<style>\n").append(STYLE);
        html.append("</style></head><body>\n<h1>").append(escaped(title)).append("</h1>\n");
    }

    /**
     * What came out.
     *
     * @param word PASS, FAIL or PART
     * @param why in a sentence; may be empty
     */
    public HtmlPage verdict(String word, String why) {
        String style = word.toLowerCase(Locale.ROOT);
        html.append("<p class=\"verdict ").append(style).append("\">").append(word);
        html.append(why.isEmpty() ? "" : ": " + escaped(why)).append("</p>\n");
        return this;
    }

    public HtmlPage headlines(List<Headline> headlines) {
        if (!headlines.isEmpty()) {
            html.append("<div class=\"headline\">");
            for (Headline one : headlines) {
                html.append("<div><b>").append(escaped(one.value)).append("</b>");
                html.append(escaped(one.name)).append("</div>");
            }
            html.append("</div>\n");
        }
        return this;
    }

    public HtmlPage heading(String text) {
        html.append("<h2>").append(escaped(text)).append("</h2>\n");
        return this;
    }

    public HtmlPage paragraph(String text) {
        html.append("<p>").append(escaped(text)).append("</p>\n");
        return this;
    }

    /** Lines as they are, such as a command. */
    public HtmlPage lines(String text) {
        html.append("<pre>").append(escaped(text)).append("</pre>\n");
        return this;
    }

    /** Sentences, each with a point; of a class such as {@code fail}, or of none. */
    public HtmlPage list(String style, List<String> sentences) {
        if (!sentences.isEmpty()) {
            html.append(style.isEmpty() ? "<ul>\n" : "<ul class=\"" + style + "\">\n");
            sentences.forEach(one -> html.append("<li>").append(escaped(one)).append("</li>\n"));
            html.append("</ul>\n");
        }
        return this;
    }

    /** Pairs of a term and what there is to say of it; those without text are left out. */
    public HtmlPage terms(List<Headline> terms) {
        html.append("<dl>");
        for (Headline term : terms) {
            if (!term.value.isBlank()) {
                html.append("<dt>").append(escaped(term.name)).append("</dt><dd>");
                html.append(escaped(term.value)).append("</dd>");
            }
        }
        html.append("</dl>\n");
        return this;
    }

    /** Links to files beside the page. */
    public HtmlPage links(List<String> files) {
        html.append("<p>");
        for (String file : files) {
            String name = escaped(file);
            html.append("<a href=\"").append(name).append("\">").append(name).append("</a> ");
        }
        html.append("</p>\n");
        return this;
    }

    /**
     * A figure, as SVG inside the page, or where that would be too large, as a file beside it.
     *
     * @param file where the SVG is, seen from the page
     * @param caption sentences
     */
    public HtmlPage figure(String name, String svg, String file, List<Headline> caption) {
        boolean one = svg.contains("width=\"238");
        html.append(one ? "<figure class=\"one\"" : "<figure").append(" id=\"");
        html.append(escaped(name)).append("\">\n");
        figureCharacters += svg.length();
        if (figureCharacters <= FIGURE_CHARACTERS) {
            // XML declaration and document type have no place inside a page.
            html.append(svg.substring(Math.max(0, svg.indexOf("<svg")))).append('\n');
        } else {
            html.append("<img alt=\"").append(escaped(name)).append("\" src=\"");
            html.append(escaped(file)).append("\">\n");
        }
        html.append("<figcaption>");
        terms(caption);
        html.append("</figcaption></figure>\n");
        return this;
    }

    public HtmlPage table(List<String> headings, List<List<String>> rows) {
        html.append("<table><tr>");
        headings.forEach(text -> html.append("<th>").append(escaped(text)).append("</th>"));
        html.append("</tr>\n");
        for (List<String> row : rows) {
            html.append("<tr>");
            row.forEach(this::cell);
            html.append("</tr>\n");
        }
        html.append("</table>\n");
        return this;
    }

    /** A table as it is printed, too. */
    public HtmlPage table(Table table) {
        return table(table.headings(), table.rows());
    }

    private void cell(String cell) {
        String style =
                switch (cell) {
                    case "pass" -> " class=\"pass\"";
                    case "FAIL" -> " class=\"fail\"";
                    default -> cell.matches("-?[0-9][0-9.]*") ? " class=\"n\"" : "";
                };
        html.append("<td").append(style).append('>').append(escaped(cell)).append("</td>");
    }

    /** The page. */
    public String finish() {
        return html + "</body></html>\n";
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
