package io.headgate.testbed.topology.picture;

import io.headgate.testbed.topology.LinkPlan;
import io.headgate.testbed.topology.NetworkPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Draws a network that is too large for single nodes: a box for each tier, and between two tiers a
 * bar of their links, sorted by how much of their rate was used.
 */
final class TierPicture {
    private static final double WIDTH = 460;
    private static final double HALF_HEIGHT = 16;
    private static final double ROW = 110;
    private static final double BAR = 12;
    private static final double TOP = 50;

    private final NetworkPlan plan;
    private final List<LinkLoad> loads;
    private final NetworkLayout layout;
    private final Sheet sheet = new Sheet();

    TierPicture(NetworkPlan plan, List<LinkLoad> loads, NetworkLayout layout) {
        this.plan = plan;
        this.loads = loads;
        this.layout = layout;
    }

    String draw() {
        TreeMap<Integer, List<String>> tiers = new TreeMap<>();
        int hosts = plan.hosts().size();
        plan.hosts().forEach(host -> tier(tiers, host.number()).add(host.name()));
        var switches = plan.topology().switches();
        for (int i = 0; i < switches.size(); i++) {
            tier(tiers, hosts + i).add(switches.get(i).name());
        }
        TreeMap<Integer, List<LinkPlan>> links = new TreeMap<>();
        for (LinkPlan link : plan.links()) {
            int a = layout.level(layout.node(link.a()));
            int b = layout.level(layout.node(link.b()));
            // Those within a tier are at the height of its box, others between two.
            int at = a == b ? 2 * a : a + b;
            links.computeIfAbsent(at, _ -> new ArrayList<>()).add(link);
        }
        int highest = tiers.lastKey();
        tiers.forEach((level, names) -> {
            double y = TOP + (highest - level) * ROW;
            sheet.box(WIDTH / 2, y, WIDTH / 2, HALF_HEIGHT);
            sheet.text(WIDTH / 2, y + 4, words(level, names), "middle", "#000");
        });
        links.forEach((at, among) -> bar(among, TOP + (2 * highest - at) * ROW / 2, at % 2 == 0));
        double y = TOP + highest * ROW + 2 * HALF_HEIGHT + 14;
        if (!loads.isEmpty()) {
            LinkUse.legend(sheet, WIDTH / 2, y);
        }
        return sheet.finished();
    }

    private List<String> tier(Map<Integer, List<String>> tiers, int node) {
        return tiers.computeIfAbsent(Math.max(0, layout.level(node)), _ -> new ArrayList<>());
    }

    private static String words(int level, List<String> names) {
        String what =
                (level == 0 ? "host" : "switch")
                        + (names.size() == 1 ? "" : level == 0 ? "s" : "es");
        return names.size()
                + " "
                + what
                + ": "
                + names.getFirst()
                + (names.size() == 1 ? "" : " to " + names.getLast());
    }

    private void bar(List<LinkPlan> links, double y, boolean isWithin) {
        Map<LinkUse, Integer> counts = new TreeMap<>();
        long stops = 0;
        Map<String, Integer> kinds = new TreeMap<>();
        for (LinkPlan link : links) {
            kinds.merge(NetworkText.words(link.spec()), 1, Integer::sum);
            if (!loads.isEmpty()) {
                LinkLoad load = loads.get(link.number());
                counts.merge(LinkUse.of(load.share()), 1, Integer::sum);
                stops += load.pausesAtoB() + load.pausesBtoA();
            }
        }
        List<String> parts = new ArrayList<>();
        kinds.forEach((kind, count) -> parts.add(count + " × " + kind));
        String words =
                (isWithin ? "within the tier: " : "")
                        + String.join(", ", parts)
                        + (stops == 0 ? "" : "; senders stopped " + stops + "×");
        double from = isWithin ? WIDTH + 12 : WIDTH / 4;
        double length = isWithin ? WIDTH / 4 : WIDTH / 2;
        if (counts.isEmpty()) {
            counts.put(LinkUse.IDLE, links.size());
        }
        double x = from;
        for (Map.Entry<LinkUse, Integer> part : counts.entrySet()) {
            double width = length * part.getValue() / links.size();
            sheet.add(
                    String.format(
                            Locale.ROOT,
                            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"><title>%d"
                                    + " links</title></rect>",
                            x,
                            y - BAR / 2,
                            width,
                            BAR,
                            part.getKey().colour(),
                            part.getValue()));
            x += width;
        }
        sheet.extend(x, y);
        sheet.text(from + length / 2, y + BAR + 8, words, "middle", Sheet.INK);
    }
}
