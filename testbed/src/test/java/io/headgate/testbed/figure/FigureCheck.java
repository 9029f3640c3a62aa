package io.headgate.testbed.figure;

import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.apache.batik.anim.dom.SAXSVGDocumentFactory;
import org.apache.batik.bridge.BridgeContext;
import org.apache.batik.bridge.GVTBuilder;
import org.apache.batik.bridge.UserAgentAdapter;
import org.apache.batik.gvt.GraphicsNode;
import org.apache.batik.util.XMLResourceDescriptor;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/** What makes a drawing unfit for print: letters on letters, outside, or too small. */
public final class FigureCheck {
    private static final double SMALLEST_POINTS = 6.5;
    private static final int WHITE = 0xFFFFFFFF;
    private static final double SLACK = 0.01;
    private static final Pattern LETTERS = Pattern.compile("font-size: ?([0-9.]+)px");

    private record Label(String text, Rectangle2D box) {}

    private FigureCheck() {}

    /** All mistakes, a sentence each; empty: it is fit. */
    public static List<String> mistakes(String svg) throws IOException {
        List<String> mistakes = new ArrayList<>();
        Matcher size = LETTERS.matcher(svg);
        while (size.find()) {
            double points = Double.parseDouble(size.group(1)) / PlotSpec.UNITS_PER_POINT;
            if (points < SMALLEST_POINTS) {
                mistakes.add("text of " + points + " points");
            }
        }
        if (inkAtEdge(svg)) {
            mistakes.add("something is cut at the edge");
        }
        Document document =
                new SAXSVGDocumentFactory(XMLResourceDescriptor.getXMLParserClassName())
                        .createSVGDocument("file:///figure.svg", new StringReader(svg));
        BridgeContext context = new BridgeContext(new UserAgentAdapter());
        // Or it knows no boxes afterwards.
        context.setDynamic(true);
        new GVTBuilder().build(context, document);
        Rectangle2D paper =
                new Rectangle2D.Double(
                        -SLACK,
                        -SLACK,
                        context.getDocumentSize().getWidth() + 2 * SLACK,
                        context.getDocumentSize().getHeight() + 2 * SLACK);
        labels(context, document, paper, mistakes);
        return mistakes;
    }

    /** Mistakes in all figures of a directory except pictures of networks, which are not plots. */
    public static List<String> mistakesIn(Path directory) throws IOException {
        List<String> mistakes = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.sorted().toList()) {
                String name = file.getFileName().toString();
                if (name.endsWith(".svg") && !name.startsWith("network-")) {
                    mistakes(Files.readString(file))
                            .forEach(mistake -> mistakes.add(name + ": " + mistake));
                }
            }
        }
        return mistakes;
    }

    private static void labels(
            BridgeContext context, Document document, Rectangle2D paper, List<String> mistakes) {
        List<Label> labels = new ArrayList<>();
        NodeList texts = document.getElementsByTagName("text");
        for (int i = 0; i < texts.getLength(); i++) {
            GraphicsNode node = context.getGraphicsNode(texts.item(i));
            String words = texts.item(i).getTextContent().strip();
            if (node == null || words.isEmpty()) {
                continue;
            }
            Rectangle2D box =
                    node.getGlobalTransform()
                            .createTransformedShape(node.getBounds())
                            .getBounds2D();
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

    /** Whether the outermost ring of pixels is not white: what was outside has been cut there. */
    private static boolean inkAtEdge(String svg) throws IOException {
        BufferedImage image = ImageIO.read(new ByteArrayInputStream(Drawing.png(svg)));
        int right = image.getWidth() - 1;
        int bottom = image.getHeight() - 1;
        boolean ink = false;
        for (int x = 0; x <= right; x++) {
            ink |= (image.getRGB(x, 0) & image.getRGB(x, bottom)) != WHITE;
        }
        for (int y = 0; y <= bottom; y++) {
            ink |= (image.getRGB(0, y) & image.getRGB(right, y)) != WHITE;
        }
        return ink;
    }
}
