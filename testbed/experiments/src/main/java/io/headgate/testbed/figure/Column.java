package io.headgate.testbed.figure;

/** For which width of a paper a figure is drawn. */
public enum Column {
    /** 238 pt (84 mm). */
    ONE,
    /** 504 pt (178 mm). */
    TWO,
    /** One column for a single panel, two for several. */
    FITTING;

    /** What a number of columns means; 0: whatever fits. */
    public static Column of(int columns) {
        return switch (columns) {
            case 1 -> ONE;
            case 2 -> TWO;
            default -> FITTING;
        };
    }
}
