package io.headgate.testbed.topology.picture;

import java.util.Locale;

/**
 * The colour for how busy a link was: from Okabe and Ito's, which colour-blind readers can
 * distinguish.
 */
enum LinkUse {
    IDLE("idle", "#999999", 0.005),
    LOW("to 33 %", "#0072B2", 1.0 / 3),
    HALF("67 %", "#009E73", 2.0 / 3),
    HIGH("95 %", "#E69F00", 0.95),
    FULL("more", "#D55E00", Double.POSITIVE_INFINITY);

    private static final double SWATCH = 14;
    private static final double GAP = 4;
    private static final double LINE = 16;

    private final String words;
    private final String colour;
    private final double below;

    LinkUse(String words, String colour, double below) {
        this.words = words;
        this.colour = colour;
        this.below = below;
    }

    static LinkUse of(double share) {
        LinkUse use = IDLE;
        while (share >= use.below) {
            use = values()[use.ordinal() + 1];
        }
        return use;
    }

    String colour() {
        return colour;
    }

    /**
     * Draws the legend of the colours, in three lines from {@code y}; returns the height of the
     * last line.
     */
    static double legend(Sheet sheet, double middle, double y) {
        double width = 0;
        for (LinkUse use : values()) {
            width += SWATCH + Sheet.CHAR * use.words.length() + 2 * GAP;
        }
        double x = middle - width / 2;
        sheet.text(middle, y, "colour: used share of the rate", "middle", Sheet.INK);
        sheet.text(middle, y + LINE, "in the busier direction", "middle", Sheet.INK);
        double last = y + 2 * LINE;
        for (LinkUse use : values()) {
            sheet.add(
                    String.format(
                            Locale.ROOT,
                            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\""
                                    + " stroke-width=\"3\"/>",
                            x,
                            last - GAP,
                            x + SWATCH,
                            last - GAP,
                            use.colour));
            sheet.extend(x, last);
            sheet.text(x + SWATCH + GAP, last, use.words, "start", Sheet.INK);
            x += SWATCH + Sheet.CHAR * use.words.length() + 2 * GAP;
        }
        return last;
    }
}
