package io.headgate.testbed.figure;

/**
 * The printed size of a figure, in points.
 *
 * @param columnsOfPanels number of panels side by side
 */
record Sheet(
        double width, double height, int columnsOfPanels, double panelWidth, double panelHeight) {
    /** Column widths of a paper with two columns, IEEE's and ACM's. */
    static final double ONE_COLUMN = 238;

    static final double TWO_COLUMNS = 504;

    private static final double SINGLE_HEIGHT = 140;
    private static final double ROW_HEIGHT = 92;
    private static final double ROW_EXTRA = 48;

    /** Height of a panel, without the axis or its name: alone, and in a row. */
    private static final double ALONE = 87;

    private static final double IN_A_ROW = 70;

    /** Width of the left axis. */
    private static final double AXIS = 38;

    static final double LEGEND_LINE = 12;

    /** The smallest sheet in which this number of panels is readable, or the one asked for. */
    static Sheet of(Column asked, int panels, int legendLines) {
        double width =
                switch (asked) {
                    case ONE -> ONE_COLUMN;
                    case TWO -> TWO_COLUMNS;
                    case FITTING -> panels == 1 ? ONE_COLUMN : TWO_COLUMNS;
                };
        int most = width == ONE_COLUMN ? 2 : 4;
        int across = panels <= most ? panels : panels % most == 0 ? most : Math.max(most - 1, 2);
        int rows = Math.ceilDiv(panels, across);
        double height = panels == 1 ? SINGLE_HEIGHT : ROW_EXTRA + rows * ROW_HEIGHT;
        return new Sheet(
                width,
                height + legendLines * LEGEND_LINE,
                across,
                (width - AXIS) / across,
                panels == 1 ? ALONE : IN_A_ROW);
    }
}
