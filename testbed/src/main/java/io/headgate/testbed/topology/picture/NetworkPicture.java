package io.headgate.testbed.topology.picture;

import io.headgate.config.key.Quantity;
import io.headgate.testbed.topology.LinkPlan;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.NetworkPlan;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A network drawn as SVG. For a run, the colour of a link shows how much of its rate was used in
 * the busier direction, and an end whose sender was stopped has an arrow against its traffic with
 * the number of stops. Each instance draws one picture.
 */
public final class NetworkPicture {
    /** In larger networks port numbers would cover the links. */
    private static final int MOST_WITH_PORTS = 48;

    private static final double PORT_AT = 12;
    private static final double MOST_SHARE = 0.4;
    private static final double HOST_RADIUS = 15;
    private static final double SWITCH_HALF = 24;
    private static final double SWITCH_HALF_HEIGHT = 13;
    private static final double PARALLEL_GAP = 26;
    private static final double LEGEND = 46;
    private static final double EDGE = 8;
    private static final double TEXT_HEIGHT = 12;
    private static final double CHAR = 6.2;

    private static final double SWATCH = 14;
    private static final double GAP = 4;
    private static final double LINE = 16;
    private static final String INK = "#333";
    private static final double FLAT_BELOW = 11;
    private static final String STOPPED = "#CC0000";

    /** How busy a link was, in Okabe and Ito's colours, which the colour-blind can tell apart. */
    private enum Level {
        IDLE("idle", "#999999", 0.005),
        LOW("to 33 %", "#0072B2", 1.0 / 3),
        HALF("67 %", "#009E73", 2.0 / 3),
        HIGH("95 %", "#E69F00", 0.95),
        FULL("more", "#D55E00", Double.POSITIVE_INFINITY);

        private final String words;
        private final String colour;
        private final double below;

        Level(String words, String colour, double below) {
            this.words = words;
            this.colour = colour;
            this.below = below;
        }

        static Level of(double share) {
            Level level = IDLE;
            while (share >= level.below) {
                level = values()[level.ordinal() + 1];
            }
            return level;
        }
    }

    private final NetworkPlan plan;
    private final List<LinkLoad> loads;
    private final NetworkLayout layout;
    private final StringBuilder svg = new StringBuilder();
    private double left = Double.MAX_VALUE;
    private double right = -Double.MAX_VALUE;
    private double top = Double.MAX_VALUE;
    private double bottom = -Double.MAX_VALUE;
    private final @Nullable LinkSpec common;

    private NetworkPicture(NetworkPlan plan, List<LinkLoad> loads) {
        this.plan = plan;
        this.loads = loads;
        this.layout = new NetworkLayout(plan);
        this.common = common(plan.links());
    }

    /** A network at rest. */
    public static String of(NetworkPlan plan) {
        return of(plan, List.of());
    }

    /**
     * A network after a run.
     *
     * @param loads of each link, in the order of their numbers
     */
    public static String of(NetworkPlan plan, List<LinkLoad> loads) {
        return new NetworkPicture(plan, loads).draw();
    }

    /** What most links are like. */
    private static @Nullable LinkSpec common(List<LinkPlan> links) {
        Map<LinkSpec, Integer> counts = new HashMap<>();
        LinkSpec most = null;
        for (LinkPlan link : links) {
            int count = counts.merge(link.spec(), 1, Integer::sum);
            if (most == null || count > counts.getOrDefault(most, 0)) {
                most = link.spec();
            }
        }
        return most;
    }

    private String draw() {
        Map<String, Integer> drawn = new HashMap<>();
        for (LinkPlan link : plan.links()) {
            int a = layout.node(link.a());
            int b = layout.node(link.b());
            link(link, drawn.merge(Math.min(a, b) + "-" + Math.max(a, b), 1, Integer::sum) - 1);
        }
        nodes();
        legend();
        double width = right - left + 2 * EDGE;
        double height = bottom - top + 2 * EDGE;
        return String.format(
                        Locale.ROOT,
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\""
                                + " viewBox=\"%.1f %.1f %.1f %.1f\" font-family=\"sans-serif\""
                                + " font-size=\"11\">%n",
                        width,
                        height,
                        left - EDGE,
                        top - EDGE,
                        width,
                        height)
                + "<defs><marker id=\"stop\" markerWidth=\"9\" markerHeight=\"9\" refX=\"8\""
                + " refY=\"4\" orient=\"auto\"><path d=\"M0,0 L8,4 L0,8 z\" fill=\"#CC0000\"/>"
                + "</marker></defs>\n"
                + svg
                + "</svg>\n";
    }

    /** What is drawn is within the frame. */
    private void extend(double x, double y) {
        left = Math.min(left, x);
        right = Math.max(right, x);
        top = Math.min(top, y);
        bottom = Math.max(bottom, y);
    }

    /** What links are like, and below it what their colours say. */
    private void legend() {
        double middle = layout.width() / 2;
        double y = layout.height() + LEGEND / 2;
        LinkSpec spec = common;
        if (spec != null) {
            String most = allAlike() ? "all links " : "links ";
            text(middle, y, most + words(spec) + (allAlike() ? "" : " or as said"), "middle", INK);
        }
        if (loads.isEmpty()) {
            return;
        }
        double width = 0;
        for (Level level : Level.values()) {
            width += SWATCH + CHAR * level.words.length() + 2 * GAP;
        }
        double x = middle - width / 2;
        y += LINE;
        text(middle, y, "colour: share of the rate that was used", "middle", INK);
        y += LINE;
        text(middle, y, "in the busier direction", "middle", INK);
        y += LINE;
        for (Level level : Level.values()) {
            svg.append(
                    String.format(
                            Locale.ROOT,
                            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\""
                                    + " stroke-width=\"3\"/>%n",
                            x,
                            y - GAP,
                            x + SWATCH,
                            y - GAP,
                            level.colour));
            extend(x, y);
            text(x + SWATCH + GAP, y, level.words, "start", INK);
            x += SWATCH + CHAR * level.words.length() + 2 * GAP;
        }
        if (loads.stream().anyMatch(load -> load.pausesAtoB() + load.pausesBtoA() > 0)) {
            text(
                    middle,
                    y + LINE,
                    "red arrow, N×: this sender was stopped N times",
                    "middle",
                    STOPPED);
        }
    }

    private boolean allAlike() {
        return plan.links().stream().allMatch(link -> link.spec().equals(common));
    }

    private static String words(LinkSpec spec) {
        return Quantity.RATE.format(spec.rateBps())
                + (spec.delayPs() == 0 ? "" : ", " + Quantity.DELAY.format(spec.delayPs()));
    }

    private void link(LinkPlan link, int parallel) {
        int a = layout.node(link.a());
        int b = layout.node(link.b());
        int turn = (parallel + 1) / 2;
        double bend = turn * PARALLEL_GAP * (parallel % 2 == 0 ? 1 : -1);
        if (layout.isSameRow(a, b) && layout.isSomebodyBetween(a, b)) {
            bend += Math.abs(layout.x(a) - layout.x(b)) / 4;
        }
        Curve curve = new Curve(layout.x(a), layout.y(a), layout.x(b), layout.y(b), bend);
        double[] bent = curve.at(0.5);
        extend(bent[0], bent[1]);
        LinkLoad load = loads.isEmpty() ? null : loads.get(link.number());
        String colour = load == null ? "#555555" : Level.of(load.share()).colour;
        svg.append(
                String.format(
                        Locale.ROOT,
                        "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"%s\"><title>%s"
                                + "</title></path>%n",
                        curve.path(),
                        colour,
                        load == null ? "1.5" : "3",
                        escaped(title(link, load))));
        if (!link.spec().equals(common)) {
            double[] middle = curve.at(0.5);
            boolean isRate = common != null && common.delayPs() == link.spec().delayPs();
            label(
                    middle[0],
                    middle[1] + 4,
                    isRate ? Quantity.RATE.format(link.spec().rateBps()) : words(link.spec()));
        }
        if (plan.links().size() <= MOST_WITH_PORTS) {
            port(link.a(), curve.beside());
            port(link.b(), curve.reversed().beside());
        }
        if (load != null && load.pausesAtoB() > 0) {
            stop(curve.reversed(), load.pausesAtoB());
        }
        if (load != null && load.pausesBtoA() > 0) {
            stop(curve, load.pausesBtoA());
        }
    }

    private static String title(LinkPlan link, @Nullable LinkLoad load) {
        return link.name()
                + ": "
                + words(link.spec())
                + (load == null
                        ? ""
                        : String.format(
                                Locale.ROOT,
                                "; used %.0f %% there, %.0f %% back; stopped %d times there, %d"
                                        + " back",
                                100 * load.shareAtoB(),
                                100 * load.shareBtoA(),
                                load.pausesAtoB(),
                                load.pausesBtoA()));
    }

    /** From the one who stops to the one who is stopped: against the traffic. */
    private void stop(Curve against, long times) {
        double[] from = against.at(isFlat(against) ? 0.38 : 0.56);
        double[] to = against.at(isFlat(against) ? 0.62 : 0.74);
        // To the right of the link; below it if it is flat, where neither ports nor bent links are.
        boolean isFlat = isFlat(against);
        double right = isFlat ? 0 : 7;
        double down = isFlat ? FLAT_BELOW : 0;
        svg.append(
                String.format(
                        Locale.ROOT,
                        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#CC0000\""
                                + " stroke-width=\"2\" marker-end=\"url(#stop)\"/>%n",
                        from[0] + right,
                        from[1] + down,
                        to[0] + right,
                        to[1] + down));
        String words = times + "×";
        if (isFlat) {
            text((from[0] + to[0]) / 2, to[1] + 2 * down + 4, words, "middle", STOPPED);
            return;
        }
        // To the right of the head; below it if the shaft comes down from the right.
        boolean isBelow = to[0] < from[0] - 1 && to[1] > from[1];
        text(to[0] + (isBelow ? 8 : 14), to[1] + (isBelow ? 13 : 4), words, "start", STOPPED);
    }

    private static boolean isFlat(Curve link) {
        return Math.abs(link.y1 - link.y2) < 1 && link.bend == 0;
    }

    private void port(LinkPlan.End end, double[] at) {
        if (!end.isHost()) {
            label(at[0], at[1] + 4, "p" + (end.port() + 1));
        }
    }

    /** On a white ground, so that lines end before it. */
    private void label(double x, double y, String words) {
        double half = CHAR * words.length() / 2 + 1;
        svg.append(
                String.format(
                        Locale.ROOT,
                        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"12\" fill=\"white\"/>%n",
                        x - half,
                        y - 10,
                        2 * half));
        text(x, y, words, "middle", "#333");
    }

    private void nodes() {
        for (int host = 0; host < plan.hosts().size(); host++) {
            double x = layout.x(host);
            double y = layout.y(host);
            svg.append(
                    String.format(
                            Locale.ROOT,
                            "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.0f\" fill=\"#F0F0F0\""
                                    + " stroke=\"#333\"/>%n",
                            x,
                            y,
                            HOST_RADIUS));
            extend(x - HOST_RADIUS, y - HOST_RADIUS);
            extend(x + HOST_RADIUS, y + HOST_RADIUS);
            text(x, y + HOST_RADIUS + 14, plan.hosts().get(host).name(), "middle", "#000");
        }
        var switches = plan.topology().switches();
        for (int number = 0; number < switches.size(); number++) {
            double x = layout.x(plan.hosts().size() + number);
            double y = layout.y(plan.hosts().size() + number);
            String name = switches.get(number).name();
            double half = Math.max(SWITCH_HALF, CHAR * name.length() / 2 + 5);
            svg.append(
                    String.format(
                            Locale.ROOT,
                            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"4\""
                                    + " fill=\"#DCE9F5\" stroke=\"#333\"/>%n",
                            x - half,
                            y - SWITCH_HALF_HEIGHT,
                            2 * half,
                            2 * SWITCH_HALF_HEIGHT));
            extend(x - half, y - SWITCH_HALF_HEIGHT);
            extend(x + half, y + SWITCH_HALF_HEIGHT);
            text(x, y + 4, name, "middle", "#000");
        }
    }

    private void text(double x, double y, String words, String anchor, String colour) {
        double width = CHAR * words.length();
        double from = anchor.equals("middle") ? x - width / 2 : x;
        extend(from, y - TEXT_HEIGHT);
        extend(from + width, y + TEXT_HEIGHT / 3);
        svg.append(
                String.format(
                        Locale.ROOT,
                        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\">%s</text>%n",
                        x,
                        y,
                        anchor,
                        colour,
                        escaped(words)));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    /** A straight line, or one that is bent upwards or to a side. */
    private record Curve(double x1, double y1, double x2, double y2, double bend) {
        private double controlX() {
            return (x1 + x2) / 2 + (Math.abs(y1 - y2) < 1 ? 0 : 2 * bend);
        }

        private double controlY() {
            return (y1 + y2) / 2 - (Math.abs(y1 - y2) < 1 ? 2 * bend : 0);
        }

        String path() {
            return String.format(
                    Locale.ROOT,
                    "M%.1f,%.1f Q%.1f,%.1f %.1f,%.1f",
                    x1,
                    y1,
                    controlX(),
                    controlY(),
                    x2,
                    y2);
        }

        Curve reversed() {
            return new Curve(x2, y2, x1, y1, bend);
        }

        double[] at(double share) {
            double rest = 1 - share;
            return new double[] {
                rest * rest * x1 + 2 * rest * share * controlX() + share * share * x2,
                rest * rest * y1 + 2 * rest * share * controlY() + share * share * y2
            };
        }

        /**
         * Where the number of the port at its beginning stands: those of a row of peers all at one
         * height, so that they are as far apart as the peers let them.
         */
        double[] beside() {
            double down = Math.abs(y1 - y2);
            double share =
                    down < 1
                            ? (SWITCH_HALF + PORT_AT) / Math.max(1, Math.abs(x1 - x2))
                            : (SWITCH_HALF_HEIGHT + PORT_AT) / down;
            return at(Math.min(MOST_SHARE, share));
        }
    }
}
