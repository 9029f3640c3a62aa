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
 * the busier direction, and an arrow against the traffic marks an end whose sender was stopped,
 * with the number of stops. Each instance draws one picture.
 */
public final class NetworkPicture {
    /** In larger networks port numbers would cover the links. */
    private static final int MOST_WITH_PORTS = 48;

    /** With more, tiers are drawn. */
    private static final int MOST_IN_A_ROW = 40;

    private static final double PORT_AT = 12;
    private static final double MOST_SHARE = 0.4;
    private static final double HOST_RADIUS = 15;
    private static final double SWITCH_HALF = 24;
    private static final double SWITCH_HALF_HEIGHT = 13;
    private static final double PARALLEL_GAP = 26;
    private static final double LEGEND = 46;

    private static final double LINE = 16;
    private static final double FLAT_BELOW = 11;
    private static final String STOPPED = "#CC0000";

    private final NetworkPlan plan;
    private final List<LinkLoad> loads;
    private final NetworkLayout layout;
    private final Sheet sheet = new Sheet();

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
        NetworkPicture picture = new NetworkPicture(plan, loads);
        return picture.layout.widest() > MOST_IN_A_ROW
                ? new TierPicture(plan, loads, picture.layout).draw()
                : picture.draw();
    }

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
            if (layout.first(a) != a || layout.first(b) != b) {
                continue; // the bundle's first is drawn
            }
            link(link, drawn.merge(Math.min(a, b) + "-" + Math.max(a, b), 1, Integer::sum) - 1);
        }
        nodes();
        legend();
        return sheet.finished();
    }

    /** What links are like, and below it what their colours say. */
    private void legend() {
        double middle = layout.width() / 2;
        double y = layout.height() + LEGEND / 2 + (layout.isBundled() ? LINE : 0);
        LinkSpec spec = common;
        if (spec != null) {
            String most = allAlike() ? "all links " : "links ";
            sheet.text(
                    middle,
                    y,
                    most + NetworkText.words(spec) + (allAlike() ? "" : " or as said"),
                    "middle",
                    Sheet.INK);
        }
        if (loads.isEmpty()) {
            return;
        }
        y = LinkUse.legend(sheet, middle, y + LINE);
        if (loads.stream().anyMatch(load -> load.pausesAtoB() + load.pausesBtoA() > 0)) {
            sheet.text(
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
        sheet.extend(bent[0], bent[1]);
        List<LinkPlan> all = bundle(link);
        LinkLoad load = loads.isEmpty() ? null : load(all);
        String colour = load == null ? "#555555" : LinkUse.of(load.share()).colour();
        sheet.add(
                String.format(
                        Locale.ROOT,
                        "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"%s\"><title>%s"
                                + "</title></path>",
                        curve.path(),
                        colour,
                        all.size() > 1 ? "5" : load == null ? "1.5" : "3",
                        Sheet.escaped(title(all, load))));
        if (!link.spec().equals(common)) {
            double[] middle = curve.at(0.5);
            boolean isRate = common != null && common.delayPs() == link.spec().delayPs();
            sheet.label(
                    middle[0],
                    middle[1] + 4,
                    isRate
                            ? Quantity.RATE.format(link.spec().rateBps())
                            : NetworkText.words(link.spec()));
        }
        if (plan.links().size() <= MOST_WITH_PORTS && all.size() == 1) {
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

    private List<LinkPlan> bundle(LinkPlan first) {
        int a = layout.node(first.a());
        int b = layout.node(first.b());
        if (layout.members(a).size() < 2 && layout.members(b).size() < 2) {
            return List.of(first);
        }
        return plan.links().stream()
                .filter(link ->
                        layout.first(layout.node(link.a())) == a
                                && layout.first(layout.node(link.b())) == b)
                .toList();
    }

    /** The busiest of each direction, and all stops. */
    private LinkLoad load(List<LinkPlan> links) {
        LinkLoad all = new LinkLoad(0, 0, 0, 0);
        for (LinkPlan link : links) {
            LinkLoad one = loads.get(link.number());
            all =
                    new LinkLoad(
                            Math.max(all.shareAtoB(), one.shareAtoB()),
                            Math.max(all.shareBtoA(), one.shareBtoA()),
                            all.pausesAtoB() + one.pausesAtoB(),
                            all.pausesBtoA() + one.pausesBtoA());
        }
        return all;
    }

    private static String title(List<LinkPlan> links, @Nullable LinkLoad load) {
        LinkPlan link = links.getFirst();
        return link.name()
                + (links.size() > 1 ? " to " + links.getLast().name() + ", the busiest" : "")
                + ": "
                + NetworkText.words(link.spec())
                + (load == null
                        ? ""
                        : String.format(
                                Locale.ROOT,
                                "; used %.0f %% forward, %.0f %% back; stopped %d times forward, %d"
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
        sheet.add(
                String.format(
                        Locale.ROOT,
                        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#CC0000\""
                                + " stroke-width=\"2\" marker-end=\"url(#stop)\"/>",
                        from[0] + right,
                        from[1] + down,
                        to[0] + right,
                        to[1] + down));
        String words = times + "×";
        if (isFlat) {
            sheet.text((from[0] + to[0]) / 2, to[1] + 2 * down + 4, words, "middle", STOPPED);
            return;
        }
        // To the right of the head; below it if the shaft comes down from the right.
        boolean isBelow = to[0] < from[0] - 1 && to[1] > from[1];
        sheet.text(to[0] + (isBelow ? 8 : 14), to[1] + (isBelow ? 13 : 4), words, "start", STOPPED);
    }

    private static boolean isFlat(Curve link) {
        return Math.abs(link.y1 - link.y2) < 1 && link.bend == 0;
    }

    private void port(LinkPlan.End end, double[] at) {
        if (!end.isHost()) {
            sheet.label(at[0], at[1] + 4, "p" + (end.port() + 1));
        }
    }

    private void nodes() {
        for (int host = 0; host < plan.hosts().size(); host++) {
            if (layout.first(host) != host) {
                continue;
            }
            double x = layout.x(host);
            double y = layout.y(host);
            List<Integer> all = layout.members(host);
            String name = plan.hosts().get(host).name();
            sheet.add(
                    String.format(
                            Locale.ROOT,
                            "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.0f\" fill=\"#F0F0F0\""
                                    + " stroke=\"#333\"%s/>",
                            x,
                            y,
                            HOST_RADIUS,
                            all.size() > 1 ? " stroke-width=\"3\"" : ""));
            sheet.extend(x - HOST_RADIUS, y - HOST_RADIUS);
            sheet.extend(x + HOST_RADIUS, y + HOST_RADIUS);
            sheet.text(x, y + HOST_RADIUS + 14, name, "middle", "#000");
            if (all.size() > 1) {
                sheet.text(x, y + 4, "×" + all.size(), "middle", "#000");
                String last = plan.hosts().get(all.getLast()).name();
                sheet.text(x, y + HOST_RADIUS + 14 + LINE, "to " + last, "middle", "#000");
            }
        }
        var switches = plan.topology().switches();
        for (int number = 0; number < switches.size(); number++) {
            double x = layout.x(plan.hosts().size() + number);
            double y = layout.y(plan.hosts().size() + number);
            String name = switches.get(number).name();
            double half = Math.max(SWITCH_HALF, Sheet.CHAR * name.length() / 2 + 5);
            sheet.box(x, y, half, SWITCH_HALF_HEIGHT);
            sheet.text(x, y + 4, name, "middle", "#000");
        }
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
         * The place of the port number at its beginning. For a row of peers all are at one height,
         * so that they are as far apart as the peers allow.
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
