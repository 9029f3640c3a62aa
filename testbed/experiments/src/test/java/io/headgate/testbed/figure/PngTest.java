package io.headgate.testbed.figure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Random;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;

/** Reads with Java's reader what {@link Png} writes. */
class PngTest {
    private static final int WIDTH = 37;
    private static final int HEIGHT = 23;

    private static BufferedImage drawn() {
        Random random = new Random(1);
        BufferedImage image = new BufferedImage(WIDTH, HEIGHT, BufferedImage.TYPE_INT_RGB);
        for (int y = 0; y < HEIGHT; y++) {
            for (int x = 0; x < WIDTH; x++) {
                image.setRGB(x, y, random.nextInt());
            }
        }
        return image;
    }

    private static ImageReader reader(ImageInputStream in) {
        ImageReader reader = ImageIO.getImageReadersByFormatName("png").next();
        reader.setInput(in);
        return reader;
    }

    private static ImageInputStream written(BufferedImage image) throws IOException {
        return ImageIO.createImageInputStream(new ByteArrayInputStream(Png.encoded(image)));
    }

    @Test
    void everyPixelIsAsItWasDrawn() throws Exception {
        BufferedImage image = drawn();
        try (ImageInputStream in = written(image)) {
            BufferedImage read = reader(in).read(0);
            assertThat(read.getWidth()).isEqualTo(WIDTH);
            assertThat(read.getHeight()).isEqualTo(HEIGHT);
            assertThat(read.getRGB(0, 0, WIDTH, HEIGHT, null, 0, WIDTH))
                    .isEqualTo(image.getRGB(0, 0, WIDTH, HEIGHT, null, 0, WIDTH));
        }
    }

    @Test
    void thereAre300DotsToTheInch() throws Exception {
        try (ImageInputStream in = written(drawn())) {
            Element standard =
                    (Element) reader(in).getImageMetadata(0).getAsTree("javax_imageio_1.0");
            for (String side : new String[] {"HorizontalPixelSize", "VerticalPixelSize"}) {
                Element size = (Element) standard.getElementsByTagName(side).item(0);
                assertThat(Double.parseDouble(size.getAttribute("value")))
                        .isCloseTo(25.4 / 300, within(1e-5));
            }
        }
    }
}
