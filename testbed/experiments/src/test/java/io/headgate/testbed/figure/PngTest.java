package io.headgate.testbed.figure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.util.List;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;

class PngTest {
    private static final int WHITE = 0xFFFFFF;

    /** 72 points are an inch, which has 300 dots; the rectangles cover whole dots. */
    @Test
    void aReaderFindsEachDotAndTheSizeOfDots() throws Exception {
        Path2D left = new Path2D.Double(new Rectangle2D.Double(0, 24, 24, 24));
        Path2D right = new Path2D.Double(new Rectangle2D.Double(48, 24, 24, 48));
        Drawing drawing =
                new Drawing(
                        72,
                        96,
                        List.of(
                                Ink.Shape.filled(left, "#1F77B4", 1),
                                Ink.Shape.filled(right, "#D62728", 1)));
        ImageReader reader = ImageIO.getImageReadersByFormatName("png").next();
        ImageInputStream in =
                ImageIO.createImageInputStream(new ByteArrayInputStream(Png.of(drawing)));
        reader.setInput(in);
        BufferedImage png = reader.read(0);
        assertThat(png.getWidth()).isEqualTo(300);
        assertThat(png.getHeight()).isEqualTo(400);
        for (int y = 0; y < 400; y++) {
            for (int x = 0; x < 300; x++) {
                boolean isLeft = x < 100 && y >= 100 && y < 200;
                boolean isRight = x >= 200 && y >= 100 && y < 300;
                int expected = isLeft ? 0x1F77B4 : isRight ? 0xD62728 : WHITE;
                if ((png.getRGB(x, y) & WHITE) != expected) {
                    assertThat(png.getRGB(x, y) & WHITE).as(x + ", " + y).isEqualTo(expected);
                }
            }
        }
        Element metadata = (Element) reader.getImageMetadata(0).getAsTree("javax_imageio_1.0");
        for (String side : List.of("HorizontalPixelSize", "VerticalPixelSize")) {
            Element size = (Element) metadata.getElementsByTagName(side).item(0);
            assertThat(Double.parseDouble(size.getAttribute("value")))
                    .isCloseTo(25.4 / 300, within(1e-5));
        }
    }
}
