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
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

/** Writes drawings as PNG with 300 dots per inch. */
final class Png {
    private static final double DOTS_PER_INCH = 300;
    private static final double POINTS_PER_INCH = 72;
    private static final double MM_PER_INCH = 25.4;
    private static final double MM_PER_M = 1000;

    // As PNG's specification has them.
    private static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    private static final byte BITS = 8;
    private static final byte RGB = 2;
    private static final byte DEFLATED = 0;
    private static final byte FILTERS = 0;
    private static final byte NOT_INTERLACED = 0;
    private static final byte METRES = 1;
    private static final byte UNFILTERED = 0;
    private static final int COLOURS = 3;

    /** Files are as small as with higher ones. */
    private static final int LEVEL = 4;

    private Png() {}

    static byte[] of(Drawing drawing) {
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

    /** By hand: what Java has for it takes nearly twice as long, for files of the same size. */
    static byte[] encoded(BufferedImage image) {
        int width = image.getWidth();
        int height = image.getHeight();
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.writeBytes(SIGNATURE);
        byte[] header = {BITS, RGB, DEFLATED, FILTERS, NOT_INTERLACED};
        write(
                file,
                "IHDR",
                ByteBuffer.allocate(13).putInt(width).putInt(height).put(header).array());
        int perMetre = (int) Math.round(DOTS_PER_INCH * MM_PER_M / MM_PER_INCH);
        write(
                file,
                "pHYs",
                ByteBuffer.allocate(9).putInt(perMetre).putInt(perMetre).put(METRES).array());
        write(file, "IDAT", deflated(rows(image)));
        write(file, "IEND", new byte[0]);
        return file.toByteArray();
    }

    private static void write(ByteArrayOutputStream file, String type, byte[] data) {
        byte[] name = type.getBytes(StandardCharsets.US_ASCII);
        CRC32 sum = new CRC32();
        sum.update(name);
        sum.update(data);
        file.writeBytes(bytes(data.length));
        file.writeBytes(name);
        file.writeBytes(data);
        file.writeBytes(bytes((int) sum.getValue()));
    }

    private static byte[] bytes(int value) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(value).array();
    }

    /** Rows from the top, as they are: an unchanged one costs the compression least. */
    private static byte[] rows(BufferedImage image) {
        int[] row = new int[image.getWidth()];
        byte[] all = new byte[image.getHeight() * (1 + COLOURS * row.length)];
        int at = 0;
        for (int y = 0; y < image.getHeight(); y++) {
            image.getRaster().getDataElements(0, y, row.length, 1, row);
            all[at++] = UNFILTERED;
            for (int pixel : row) {
                all[at++] = (byte) (pixel >> 16);
                all[at++] = (byte) (pixel >> 8);
                all[at++] = (byte) pixel;
            }
        }
        return all;
    }

    private static byte[] deflated(byte[] rows) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (Deflater deflater = new Deflater(LEVEL);
                DeflaterOutputStream out = new DeflaterOutputStream(bytes, deflater)) {
            out.write(rows);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // in memory
        }
        return bytes.toByteArray();
    }
}
