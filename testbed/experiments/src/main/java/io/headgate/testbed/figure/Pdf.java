package io.headgate.testbed.figure;

import java.awt.Color;
import java.awt.geom.PathIterator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.pdfbox.pdfwriter.compress.CompressParameters;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.common.PDRectangle;
import org.apache.pdfbox.pdmodel.font.PDFont;
import org.apache.pdfbox.pdmodel.font.PDType0Font;
import org.apache.pdfbox.pdmodel.graphics.state.PDExtendedGraphicsState;
import org.apache.pdfbox.util.Matrix;

/**
 * Writes a drawing as a PDF of one page in its printed size, with the used letters of the font
 * embedded.
 */
final class Pdf {
    private static final int ROUND = 1;

    private final PDPageContentStream out;
    private final PDFont font;
    private final float height;

    private Pdf(PDPageContentStream out, PDFont font, double height) {
        this.out = out;
        this.font = font;
        this.height = (float) height;
    }

    static byte[] of(Drawing drawing) throws IOException {
        try (PDDocument document = new PDDocument();
                InputStream letters = Typeface.open()) {
            // The same drawing gives the same bytes.
            document.setDocumentId(1L);
            PDPage page =
                    new PDPage(new PDRectangle((float) drawing.width(), (float) drawing.height()));
            document.addPage(page);
            PDFont font = PDType0Font.load(document, letters, true);
            try (PDPageContentStream out = new PDPageContentStream(document, page)) {
                Pdf pdf = new Pdf(out, font, drawing.height());
                out.setLineJoinStyle(ROUND);
                for (Ink ink : drawing.ink()) {
                    switch (ink) {
                        case Ink.Shape shape -> pdf.shape(shape);
                        case Ink.Words words -> pdf.words(words);
                    }
                }
            }
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            document.save(bytes, CompressParameters.NO_COMPRESSION);
            return bytes.toByteArray();
        }
    }

    private void shape(Ink.Shape shape) throws IOException {
        if (shape.fill() != null) {
            PDExtendedGraphicsState state = new PDExtendedGraphicsState();
            state.setNonStrokingAlphaConstant((float) shape.opacity());
            out.saveGraphicsState();
            if (shape.opacity() < 1) {
                out.setGraphicsStateParameters(state);
            }
            out.setNonStrokingColor(Color.decode(shape.fill()));
            path(shape);
            out.fill();
            out.restoreGraphicsState();
        }
        if (shape.stroke() != null) {
            float[] dash = new float[shape.dash().size()];
            for (int i = 0; i < dash.length; i++) {
                dash[i] = shape.dash().get(i).floatValue();
            }
            out.setStrokingColor(Color.decode(shape.stroke()));
            out.setLineWidth((float) shape.width());
            out.setLineDashPattern(dash, 0);
            path(shape);
            out.stroke();
        }
    }

    private void path(Ink.Shape shape) throws IOException {
        float[] to = new float[6];
        for (PathIterator at = shape.path().getPathIterator(null); !at.isDone(); at.next()) {
            switch (at.currentSegment(to)) {
                case PathIterator.SEG_MOVETO -> out.moveTo(to[0], height - to[1]);
                case PathIterator.SEG_LINETO -> out.lineTo(to[0], height - to[1]);
                case PathIterator.SEG_CUBICTO ->
                        out.curveTo(
                                to[0],
                                height - to[1],
                                to[2],
                                height - to[3],
                                to[4],
                                height - to[5]);
                case PathIterator.SEG_CLOSE -> out.closePath();
                default -> throw new IllegalStateException("PDF has no curves of one handle");
            }
        }
    }

    private void words(Ink.Words words) throws IOException {
        double along = -words.align() * Typeface.width(words.text(), words.points());
        out.setNonStrokingColor(Color.decode(words.colour()));
        for (Typeface.Part part : Typeface.parts(words.text())) {
            String text = Typeface.printable(part.text());
            double up = part.raised() * words.points();
            double x = words.x() + (words.isUpright() ? -up : along);
            double y = height - words.y() + (words.isUpright() ? along : up);
            double turned = words.isUpright() ? Math.PI / 2 : 0;
            out.beginText();
            out.setFont(font, (float) (part.size() * words.points()));
            out.setTextMatrix(Matrix.getRotateInstance(turned, (float) x, (float) y));
            out.showText(text);
            out.endText();
            along += part.size() * Typeface.width(text, words.points());
        }
    }
}
