package io.headgate.testbed.topology.picture;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.TopologyReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class NetworkPictureTest {
    static List<Path> topologies() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("examples/topologies"))) {
            return files.filter(file -> file.toString().endsWith(".yaml")).toList();
        }
    }

    private static NetworkPlan plan(String text) {
        return NetworkPlan.of(TopologyReader.read(text, "t.yaml"), PlanOptions.virtual(1));
    }

    private record Box(String text, double left, double right, double top, double bottom) {
        boolean meets(Box other) {
            return left < other.right
                    && other.left < right
                    && top < other.bottom
                    && other.top < bottom;
        }
    }

    private static Element parse(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(svg)))
                .getDocumentElement();
    }

    /** Where texts are, with letters of a sans-serif face of 11 pixels. */
    private static List<Box> texts(Element svg) {
        List<Box> boxes = new ArrayList<>();
        NodeList all = svg.getElementsByTagName("text");
        for (int i = 0; i < all.getLength(); i++) {
            Element one = (Element) all.item(i);
            double width = 5.5 * one.getTextContent().length();
            double x = Double.parseDouble(one.getAttribute("x"));
            double y = Double.parseDouble(one.getAttribute("y"));
            double left = one.getAttribute("text-anchor").equals("middle") ? x - width / 2 : x;
            boxes.add(new Box(one.getTextContent(), left, left + width, y - 8, y + 2));
        }
        return boxes;
    }

    @ParameterizedTest
    @MethodSource("topologies")
    void everyNodeOfTheExamplesIsDrawnInsideTheFrame(Path file) throws Exception {
        NetworkPlan plan = NetworkPlan.of(TopologyReader.read(file), PlanOptions.virtual(1));
        Element svg = parse(NetworkPicture.of(plan));
        List<Box> texts = texts(svg);
        if (plan.hosts().size() <= 40) {
            plan.hosts()
                    .forEach(host -> assertThat(texts).extracting(Box::text).contains(host.name()));
            assertThat(svg.getElementsByTagName("circle").getLength())
                    .isEqualTo(plan.hosts().size());
        }
        String[] view = svg.getAttribute("viewBox").split(" ");
        double left = Double.parseDouble(view[0]);
        double right = left + Double.parseDouble(view[2]);
        double top = Double.parseDouble(view[1]);
        double bottom = top + Double.parseDouble(view[3]);
        assertThat(texts)
                .allMatch(
                        box -> box.left >= left && box.right <= right,
                        "inside " + left + ".." + right)
                .allMatch(box -> box.top >= top && box.bottom <= bottom, top + ".." + bottom);
    }

    @Test
    void namesAndPortsDoNotOverlapAndNoLinkIsDrawnTwice() throws Exception {
        for (String text :
                List.of(
                        "{name: t, builder: {single-switch: {hosts: 8}}}",
                        "{name: t, builder: {leaf-spine: {leaves: 2, spines: 2, hosts-per-leaf: 2}}}",
                        "{name: t, builder: {ring: {switches: 3}}}",
                        "{name: t, builder: {dumbbell: {left: 2, right: 2}}}",
                        "{name: t, builder: {fat-tree: {}}}",
                        "{name: t, builder: {dragonfly: {}}}",
                        "{name: t, builder: {leaf-spine: {leaves: 12, spines: 4, hosts-per-leaf: 4}}}",
                        "{name: t, builder: {fat-tree: {k: 8}}}",
                        "{name: t, builder: {fat-tree: {k: 12}}}")) {
            Element svg = parse(NetworkPicture.of(plan(text)));
            NodeList lines = svg.getElementsByTagName("path");
            Set<String> drawn = new HashSet<>();
            for (int i = 0; i < lines.getLength(); i++) {
                assertThat(drawn.add(((Element) lines.item(i)).getAttribute("d"))).isTrue();
            }
            List<Box> texts = texts(svg);
            for (int i = 0; i < texts.size(); i++) {
                for (int j = i + 1; j < texts.size(); j++) {
                    assertThat(texts.get(i).meets(texts.get(j)))
                            .as("%s in %s and %s", text, texts.get(i), texts.get(j))
                            .isFalse();
                }
            }
        }
    }

    /** Hosts of a leaf are one node, whose link is as busy as the busiest of theirs. */
    @Test
    void manyHostsAreBundledAtTheirSwitches() throws Exception {
        NetworkPlan plan =
                plan(
                        "{name: t, builder: {leaf-spine: {leaves: 12, spines: 4, hosts-per-leaf: 4}}}");
        List<LinkLoad> loads =
                plan.links().stream()
                        .map(link ->
                                link.name().equals("h2-3-e2")
                                        ? new LinkLoad(0.99, 0, 3, 0)
                                        : new LinkLoad(0.1, 0, 1, 0))
                        .toList();
        String svg = NetworkPicture.of(plan, loads);
        assertThat(parse(svg).getElementsByTagName("circle").getLength()).isEqualTo(12);
        assertThat(svg)
                .contains(">×4<", ">to h12-4<")
                .contains("h2-1-e2 to h2-4-e2, the busiest: 10Gbps, 1us; used 99 % forward")
                .contains("stopped 6 times forward")
                .containsOnlyOnce("stroke=\"#D55E00\" stroke-width=\"5\"");
    }

    @Test
    void aFabricWithoutRoomForItsSwitchesIsDrawnByTier() throws Exception {
        NetworkPlan plan = plan("{name: t, builder: {fat-tree: {k: 12}}}");
        List<LinkLoad> loads =
                plan.links().stream()
                        .map(link -> new LinkLoad(link.a().isHost() ? 0.5 : 0, 0, 1, 0))
                        .toList();
        assertThat(texts(parse(NetworkPicture.of(plan, loads))))
                .extracting(Box::text)
                .contains(
                        "36 switches: c1 to c36",
                        "72 switches: a1-1 to a12-6",
                        "432 hosts: h1 to h432",
                        "432 × 10Gbps, 1us; senders stopped 432×");
        assertThat(NetworkPicture.of(plan, loads))
                .containsOnlyOnce("fill=\"#009E73\"><title>432 links")
                .contains("fill=\"#999999\"><title>432 links");
    }

    @Test
    void aBusyLinkIsRedAndAPauseIsAnArrowAgainstItsTraffic() {
        NetworkPlan plan = plan("{name: t, builder: {single-switch: {hosts: 2}}}");
        String rest = NetworkPicture.of(plan);
        assertThat(rest).doesNotContain("#D55E00").doesNotContain("marker-end");
        String svg =
                NetworkPicture.of(
                        plan, List.of(new LinkLoad(0.99, 0.01, 7, 0), new LinkLoad(0, 0, 0, 0)));
        assertThat(svg)
                .containsOnlyOnce("stroke=\"#D55E00\" stroke-width=\"3\"><title>")
                .containsOnlyOnce("marker-end");
        assertThat(svg).contains(">7×<").contains("used 99 % forward, 1 % back");
    }

    @Test
    void theTextHasEveryLinkWithItsPortsAndRate() {
        String text =
                NetworkText.of(
                        plan(
                                "{name: t, link: {rate: 25Gbps, delay: 2us}, hosts: [{name: a, at: s},"
                                        + " {name: b, at: s, rate: 10Gbps}], switches: [s]}"));
        assertThat(text)
                .startsWith("t: 2 hosts, 1 switch, 2 links; routed, MTU 1500 bytes\n")
                .containsPattern("(?m)^a-s +a +- +s +p1 +25Gbps +2us$")
                .containsPattern("(?m)^b-s +b +- +s +p2 +10Gbps +2us$")
                .containsPattern("(?m)^a +10.0.0.1/31 ");
    }
}
