package io.headgate.testbed.figure;

/** The width of a figure in a paper, in columns. */
public enum Column {
    /** 238 pt (84 mm). */
    ONE,
    /** 504 pt (178 mm). */
    TWO,
    /** One column for a single panel, two for several. */
    FITTING;

    /** The width for a number of columns; 0: whichever fits. */
    public static Column of(int columns) {
        return switch (columns) {
            case 1 -> ONE;
            case 2 -> TWO;
            default -> FITTING;
        };
    }
}
