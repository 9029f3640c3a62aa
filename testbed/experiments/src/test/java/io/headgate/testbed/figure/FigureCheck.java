package io.headgate.testbed.figure;

import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** What makes a drawing unfit for print: letters on letters, outside, too small, lines twice. */
public final class FigureCheck {
    private static final double SMALLEST_POINTS = 6.5;
    private static final double SLACK = 0.01;
    private static final double ASCENT = 0.73;
    private static final double DESCENT = 0.21;
    private static final Pattern PLACE = Pattern.compile("(-?[0-9.]+) (-?[0-9.]+)");

    private record Label(String text, Rectangle2D box) {}

    private FigureCheck() {}

    /** All mistakes, a sentence each; empty: it is fit. */
    public static List<String> mistakes(String svg) throws IOException {
        Element drawing = parsed(svg);
        String[] view = drawing.getAttribute("viewBox").split(" ");
        Rectangle2D paper =
                new Rectangle2D.Double(
                        -SLACK,
                        -SLACK,
                        Double.parseDouble(view[2]) + 2 * SLACK,
                        Double.parseDouble(view[3]) + 2 * SLACK);
        List<String> mistakes = new ArrayList<>();
        labels(drawing, paper, mistakes);
        NodeList paths = drawing.getElementsByTagName("path");
        Set<String> drawn = new HashSet<>();
        for (int i = 0; i < paths.getLength(); i++) {
            Element path = (Element) paths.item(i);
            if (!drawn.add(
                    path.getAttribute("d")
                            + path.getAttribute("stroke")
                            + path.getAttribute("stroke-dasharray")
                            + path.getAttribute("fill"))) {
                mistakes.add("drawn twice: " + path.getAttribute("d"));
            }
            Matcher place = PLACE.matcher(path.getAttribute("d"));
            while (place.find()) {
                if (!paper.contains(
                        Double.parseDouble(place.group(1)), Double.parseDouble(place.group(2)))) {
                    mistakes.add("something is cut at the edge: at " + place.group());
                }
            }
        }
        return mistakes;
    }

    private static Element parsed(String svg) throws IOException {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new InputSource(new StringReader(svg)))
                    .getDocumentElement();
        } catch (ParserConfigurationException | SAXException e) {
            throw new IOException(e);
        }
    }

    /** Mistakes in all figures of a directory except pictures of networks, which are not plots. */
    public static List<String> mistakesIn(Path directory) throws IOException {
        List<String> mistakes = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.sorted().toList()) {
                String name = file.getFileName().toString();
                if (name.endsWith(".svg") && !name.startsWith("network")) {
                    mistakes(Files.readString(file))
                            .forEach(mistake -> mistakes.add(name + ": " + mistake));
                }
            }
        }
        return mistakes;
    }

    private static void labels(Element drawing, Rectangle2D paper, List<String> mistakes) {
        List<Label> labels = new ArrayList<>();
        NodeList texts = drawing.getElementsByTagName("text");
        for (int i = 0; i < texts.getLength(); i++) {
            Element text = (Element) texts.item(i);
            String words = text.getTextContent();
            double points = number(text, "font-size");
            if (points < SMALLEST_POINTS) {
                mistakes.add("text of " + points + " points");
            }
            Rectangle2D box = box(text, words, points);
            if (!paper.contains(box)) {
                mistakes.add("label outside: " + words);
            }
            for (Label other : labels) {
                if (other.box.intersects(box)) {
                    mistakes.add("labels overlap: " + other.text + " and " + words);
                }
            }
            labels.add(new Label(words, box));
        }
    }

    private static double number(Element element, String attribute) {
        return Double.parseDouble(element.getAttribute(attribute));
    }

    private static Rectangle2D box(Element text, String words, double points) {
        double width = Typeface.width(words, points);
        double before =
                switch (text.getAttribute("text-anchor")) {
                    case "middle" -> width / 2;
                    case "end" -> width;
                    default -> 0;
                };
        double x = number(text, "x");
        double y = number(text, "y");
        double height = (ASCENT + DESCENT) * points;
        return text.hasAttribute("transform")
                ? new Rectangle2D.Double(x - ASCENT * points, y - width + before, height, width)
                : new Rectangle2D.Double(x - before, y - ASCENT * points, width, height);
    }
}
