package io.headgate.control.report;

import io.headgate.control.report.Picture.Kind;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Writes a report as one page: first the verdict and the most important numbers, then figures and
 * tables. The page loads only figures that would make it too large. One page is used by one thread.
 */
public final class HtmlPage {
    /** Largest total of figures inside a page, so that the page can be sent by mail. */
    private static final int FIGURE_CHARACTERS = 600_000;

    private static final String STYLE =
            """
            body{max-width:62em;margin:2em auto;padding:0 1em;font-family:sans-serif;color:#222}
            h1{font-size:1.5em}h2{margin-top:2em;border-bottom:1px solid #ccc}
            table{border-collapse:collapse;margin:1em 0;font-size:14px}
            table{display:block;overflow-x:auto}
            th,td{border:1px solid #ccc;padding:.3em .6em;text-align:left;vertical-align:top}
            th{background:#f4f4f4}.n{text-align:right;font-variant-numeric:tabular-nums}
            .pass{color:#00704d}.fail{color:#b04000}.part,.warning,.invalid{color:#775500}
            .verdict{font-size:1.3em;font-weight:bold}
            .headline{display:flex;flex-wrap:wrap;gap:1em;margin:1em 0}
            .headline div{border:1px solid #ccc;padding:.5em 1em}
            .headline b{display:block;font-size:1.5em}
            figure{margin:1.5em 0}figcaption{margin-top:.3em}
            dt{font-weight:bold}dd{margin:0 0 .5em 1em}
            figure svg,figure img{width:100%;height:auto}figure.one{max-width:38em}
            .row{display:flex;flex-wrap:wrap;gap:0 1em}figcaption dd{margin-left:0}
            figure.network svg,figure.network img{width:auto;max-width:100%}
            figure.network figcaption{max-width:19em}figcaption a{font-size:13px}
            pre{font-size:13px;white-space:pre-wrap;background:#f4f4f4;padding:.6em}
            """;

    private static final Pattern NUMBER = Pattern.compile("[-−+]?[0-9][0-9.,]*( \\*)?|-");

    /** One of the most important results, with its name. */
    public record Headline(String name, String value) {}

    private final StringBuilder html = new StringBuilder();
    private int figureCharacters;

    /**
     * Begins a page.
     *
     * @param title the whole command that was run
     */
    public HtmlPage(String title) {
        html.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>");
        html.append(escaped(title)).append("</title>\n<style>\n").append(STYLE);
        html.append("</style></head><body>\n<h1>").append(escaped(title)).append("</h1>\n");
    }

    /**
     * Adds the verdict.
     *
     * @param word PASS, MEASURED, FAIL, PART or INVALID
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

    /** Adds lines as they are, such as a command. */
    public HtmlPage lines(String text) {
        html.append("<pre>").append(escaped(text)).append("</pre>\n");
        return this;
    }

    /** Adds sentences as a list; its style is a class such as {@code fail}, or none. */
    public HtmlPage list(String style, List<String> sentences) {
        if (!sentences.isEmpty()) {
            html.append(style.isEmpty() ? "<ul>\n" : "<ul class=\"" + style + "\">\n");
            sentences.forEach(one -> html.append("<li>").append(escaped(one)).append("</li>\n"));
            html.append("</ul>\n");
        }
        return this;
    }

    /** Adds pairs of a term and its text; leaves out pairs without text. */
    public HtmlPage terms(List<Headline> terms) {
        List<Headline> said = terms.stream().filter(term -> !term.value.isBlank()).toList();
        if (said.isEmpty()) {
            return this;
        }
        html.append("<dl>");
        for (Headline term : said) {
            if (!term.name.isEmpty()) {
                html.append("<dt>").append(escaped(term.name)).append("</dt>");
            }
            html.append("<dd>").append(escaped(term.value)).append("</dd>");
        }
        html.append("</dl>\n");
        return this;
    }

    /** Adds links to files in the page's directory. */
    public HtmlPage links(List<String> files) {
        html.append("<p>");
        for (String file : files) {
            link(file, file);
        }
        html.append("</p>\n");
        return this;
    }

    /**
     * Adds figures in their order; consecutive networks are side by side. Each is SVG inside the
     * page or, if that would be too large, a file in the page's directory.
     */
    public HtmlPage pictures(List<Picture> pictures) {
        Kind before = Kind.PLOT;
        for (Picture picture : pictures) {
            if (picture.kind() != before) {
                html.append(before == Kind.PLOT ? "<div class=\"row\">\n" : "</div>\n");
                before = picture.kind();
            }
            picture(picture);
        }
        html.append(before == Kind.PLOT ? "" : "</div>\n");
        return this;
    }

    private void picture(Picture picture) {
        String svg = picture.svg();
        boolean isNarrow = svg.contains("width=\"238");
        String style = picture.kind() == Kind.NETWORK ? "network" : isNarrow ? "one" : "two";
        html.append("<figure class=\"").append(style).append("\" id=\"");
        html.append(escaped(picture.name())).append("\">\n");
        figureCharacters += svg.length();
        if (figureCharacters <= FIGURE_CHARACTERS) {
            // XML declaration and document type have no place inside a page.
            html.append(svg.substring(Math.max(0, svg.indexOf("<svg")))).append('\n');
        } else {
            html.append("<img alt=\"").append(escaped(picture.name())).append("\" src=\"");
            html.append(escaped(picture.file())).append("\">\n");
        }
        html.append("<figcaption>");
        terms(picture.caption());
        for (Headline form : picture.otherForms()) {
            link(form.name, form.value);
        }
        html.append("</figcaption></figure>\n");
    }

    private void link(String words, String file) {
        html.append("<a href=\"").append(escaped(file)).append("\">");
        html.append(escaped(words)).append("</a> ");
    }

    public HtmlPage table(List<String> headings, List<List<String>> rows) {
        return table(headings, headings.stream().map(_ -> "").toList(), rows);
    }

    /** Adds a table; a heading shows the description of its column when a reader points at it. */
    private HtmlPage table(List<String> headings, List<String> says, List<List<String>> rows) {
        html.append("<table><tr>");
        for (int column = 0; column < headings.size(); column++) {
            String word = says.get(column);
            html.append(word.isEmpty() ? "<th>" : "<th title=\"" + escaped(word) + "\">");
            html.append(escaped(headings.get(column))).append("</th>");
        }
        html.append("</tr>\n");
        for (List<String> row : rows) {
            html.append("<tr>");
            row.forEach(this::cell);
            html.append("</tr>\n");
        }
        html.append("</table>\n");
        return this;
    }

    /** Adds a table, as in the printed report. */
    public HtmlPage table(Table table) {
        return table(table.headings(), table.says(), table.rows());
    }

    private void cell(String cell) {
        String style =
                switch (cell) {
                    case "pass" -> " class=\"pass\"";
                    case "FAIL" -> " class=\"fail\"";
                    default -> NUMBER.matcher(cell).matches() ? " class=\"n\"" : "";
                };
        html.append("<td").append(style).append('>').append(escaped(cell)).append("</td>");
    }

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
