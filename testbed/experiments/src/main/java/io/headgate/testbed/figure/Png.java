package io.headgate.testbed.figure;

import java.awt.AlphaComposite;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.AffineTransform;
import java.awt.geom.Path2D;
import java.awt.image.BufferedImage;
import java.awt.image.DataBufferInt;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

/** Writes drawings as PNG with 300 dots per inch. */
final class Png {
    private static final double DOTS_PER_INCH = 300;
    private static final double POINTS_PER_INCH = 72;
    private static final double METRES_PER_INCH = 0.0254;

    private static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    private static final int HEADER_BYTES = 13;
    private static final int BITS_OF_COLOUR = 8;
    private static final byte RED_GREEN_BLUE = 2;
    private static final int SIZE_BYTES = 9;
    private static final byte OF_A_METRE = 1;
    private static final byte AS_IT_IS = 0;
    private static final byte FROM_ABOVE = 2;
    private static final int BYTES_OF_A_DOT = 3;

    /** Of 1 to 9: more takes longer, and saves 2 %. */
    private static final int COMPRESSION = 4;

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

    /** By hand: ImageIO takes twice the time for the same number of bytes. */
    private static byte[] encoded(BufferedImage image) throws IOException {
        int width = image.getWidth();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.write(SIGNATURE);
        ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
        header.putInt(width).putInt(image.getHeight());
        header.put((byte) BITS_OF_COLOUR).put(RED_GREEN_BLUE);
        write(out, "IHDR", header.array());
        int dotsPerMetre = (int) Math.round(DOTS_PER_INCH / METRES_PER_INCH);
        ByteBuffer size = ByteBuffer.allocate(SIZE_BYTES);
        size.putInt(dotsPerMetre).putInt(dotsPerMetre).put(OF_A_METRE);
        write(out, "pHYs", size.array());
        write(out, "IDAT", rows(image));
        write(out, "IEND", new byte[0]);
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream out, String kind, byte[] content)
            throws IOException {
        byte[] name = kind.getBytes(StandardCharsets.US_ASCII);
        CRC32 sum = new CRC32();
        sum.update(name);
        sum.update(content);
        out.writeInt(content.length);
        out.write(name);
        out.write(content);
        out.writeInt((int) sum.getValue());
    }

    /** Rows, compressed. One that is equal to the row above it is written as no difference. */
    private static byte[] rows(BufferedImage image) throws IOException {
        int[] dots = ((DataBufferInt) image.getRaster().getDataBuffer()).getData();
        int width = image.getWidth();
        byte[] row = new byte[1 + BYTES_OF_A_DOT * width];
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Deflater deflater = new Deflater(COMPRESSION);
        try (DeflaterOutputStream out = new DeflaterOutputStream(bytes, deflater, row.length)) {
            for (int from = 0; from < dots.length; from += width) {
                int until = from + width;
                boolean isNew =
                        from == 0 || !Arrays.equals(dots, from, until, dots, from - width, from);
                row[0] = isNew ? AS_IT_IS : FROM_ABOVE;
                int at = 1;
                for (int i = from; i < until; i++) {
                    int dot = isNew ? dots[i] : 0;
                    row[at++] = (byte) (dot >> 16);
                    row[at++] = (byte) (dot >> 8);
                    row[at++] = (byte) dot;
                }
                out.write(row);
            }
        } finally {
            deflater.end();
        }
        return bytes.toByteArray();
    }
}
