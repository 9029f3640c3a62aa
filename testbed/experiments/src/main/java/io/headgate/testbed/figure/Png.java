package io.headgate.testbed.figure;

import java.awt.AlphaComposite;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.AffineTransform;
import java.awt.geom.Path2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriter;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.ImageOutputStream;

/** Writes drawings as PNG with 300 dots per inch. */
final class Png {
    private static final double DOTS_PER_INCH = 300;
    private static final double POINTS_PER_INCH = 72;
    private static final double MM_PER_INCH = 25.4;
    private static final String STANDARD = "javax_imageio_1.0";

    private Png() {}

    static byte[] of(Drawing drawing) throws IOException {
        // Nothing is shown: a machine without display is the usual one.
        System.setProperty("java.awt.headless", "true");
        double scale = DOTS_PER_INCH / POINTS_PER_INCH;
        BufferedImage image =
                new BufferedImage(
                        (int) Math.round(drawing.width() * scale),
                        (int) Math.round(drawing.height() * scale),
                        BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        graphics.setColor(Color.WHITE);
        graphics.fillRect(0, 0, image.getWidth(), image.getHeight());
        graphics.setRenderingHint(
                RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        graphics.setRenderingHint(
                RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
        graphics.scale(scale, scale);
        for (Ink ink : drawing.ink()) {
            switch (ink) {
                case Ink.Shape shape -> draw(graphics, shape);
                case Ink.Words words -> draw(graphics, words);
            }
        }
        graphics.dispose();
        return encoded(image);
    }

    private static void draw(Graphics2D graphics, Ink.Shape shape) {
        if (shape.fill() != null) {
            graphics.setComposite(
                    AlphaComposite.getInstance(AlphaComposite.SRC_OVER, (float) shape.opacity()));
            graphics.setColor(Color.decode(shape.fill()));
            graphics.fill(shape.path());
            graphics.setComposite(AlphaComposite.SrcOver);
        }
        if (shape.stroke() != null) {
            float[] dash = new float[shape.dash().size()];
            for (int i = 0; i < dash.length; i++) {
                dash[i] = shape.dash().get(i).floatValue();
            }
            graphics.setStroke(
                    new BasicStroke(
                            (float) shape.width(),
                            BasicStroke.CAP_BUTT,
                            BasicStroke.JOIN_ROUND,
                            1,
                            dash.length == 0 ? null : dash,
                            0));
            graphics.setColor(Color.decode(shape.stroke()));
            graphics.draw(shape.path());
        }
    }

    private static void draw(Graphics2D graphics, Ink.Words words) {
        AffineTransform place = AffineTransform.getTranslateInstance(words.x(), words.y());
        if (words.isUpright()) {
            place.rotate(-Math.PI / 2);
        }
        double along = -words.align() * Typeface.width(words.text(), words.points());
        graphics.setColor(Color.decode(words.colour()));
        for (Typeface.Part part : Typeface.parts(words.text())) {
            AffineTransform at = new AffineTransform(place);
            at.translate(along, -part.raised() * words.points());
            at.scale(part.size() * words.points(), part.size() * words.points());
            Path2D letters = Typeface.outline(part.text());
            letters.transform(at);
            graphics.fill(letters);
            along += part.size() * Typeface.width(part.text(), words.points());
        }
    }

    private static byte[] encoded(BufferedImage image) throws IOException {
        ImageWriter writer = ImageIO.getImageWritersByFormatName("png").next();
        IIOMetadata metadata =
                writer.getDefaultImageMetadata(
                        ImageTypeSpecifier.createFromRenderedImage(image), null);
        IIOMetadataNode root = new IIOMetadataNode(STANDARD);
        IIOMetadataNode dimension = new IIOMetadataNode("Dimension");
        for (String side : new String[] {"HorizontalPixelSize", "VerticalPixelSize"}) {
            IIOMetadataNode size = new IIOMetadataNode(side);
            size.setAttribute("value", Double.toString(MM_PER_INCH / DOTS_PER_INCH));
            dimension.appendChild(size);
        }
        root.appendChild(dimension);
        metadata.mergeTree(STANDARD, root);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        // In memory: Java would otherwise write through a file in the temporary directory.
        ImageIO.setUseCache(false);
        try (ImageOutputStream out = ImageIO.createImageOutputStream(bytes)) {
            writer.setOutput(out);
            writer.write(new IIOImage(image, null, metadata));
        } finally {
            writer.dispose();
        }
        return bytes.toByteArray();
    }
}
