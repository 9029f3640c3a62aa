package io.headgate.control.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.headgate.control.run.RunningSwitch.FdbEntry;
import io.headgate.control.run.RunningSwitch.Neighbour;
import io.headgate.control.run.RunningSwitch.Route;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What keeps frames from a host: two edge routers, e1 with h1 and e2 with h2, two cores between.
 */
class PathWalkTest {
    private final Map<String, Map<String, String>> peers = new TreeMap<>();
    private final Map<String, List<Route>> routes = new HashMap<>();
    private final Map<String, List<Neighbour>> neighbours = new HashMap<>();
    private final Map<String, List<FdbEntry>> addresses = new HashMap<>();
    private final List<String> pulled = new ArrayList<>();

    PathWalkTest() {
        peers.put("e1", Map.of("p1", "h1", "p2", "c1:p1", "p3", "c2:p1"));
        peers.put("e2", Map.of("p1", "h2", "p2", "c1:p2", "p3", "c2:p2"));
        peers.put("c1", Map.of("p1", "e1:p2", "p2", "e2:p2"));
        peers.put("c2", Map.of("p1", "e1:p3", "p2", "e2:p3"));
        routes.put("e1", List.of(route("10.2.0.0/16", "p2, p3", "10.1.2.1", "10.1.3.1")));
        routes.put("e2", List.of(route("10.2.0.0/31", "p1")));
        routes.put("c1", List.of(route("10.2.0.0/16", "p2", "10.3.1.1"), route("0.0.0.0/0", "p1")));
        routes.put("c2", List.of(route("10.2.0.0/16", "p2", "10.3.2.1")));
        neighbours.put("e1", of("10.1.2.1", "p2", "10.1.3.1", "p3", "10.1.0.1", "p1"));
        neighbours.put("e2", of("10.2.0.1", "p1"));
        neighbours.put("c1", of("10.3.1.1", "p2"));
        neighbours.put("c2", of("10.3.2.1", "p2"));
    }

    private static Route route(String prefix, String ports, String... via) {
        return new Route(prefix, List.of(via), ports, "up");
    }

    private static List<Neighbour> of(String... addressesAndPorts) {
        List<Neighbour> all = new ArrayList<>();
        for (int i = 0; i < addressesAndPorts.length; i += 2) {
            all.add(
                    new Neighbour(
                            addressesAndPorts[i], "02:00:00:00:00:01", addressesAndPorts[i + 1]));
        }
        return all;
    }

    private PathWalk walk(String from, String to) {
        return PathWalk.of(
                from,
                to,
                new PathWalk.Network() {
                    @Override
                    public List<String> names() {
                        return List.copyOf(peers.keySet());
                    }

                    @Override
                    public PathWalk.@Nullable Node node(String name) {
                        return peers.containsKey(name) ? known(name) : null;
                    }
                });
    }

    private PathWalk.Node known(String name) {
        List<LinkRow> links = new ArrayList<>();
        Map<String, String> ports = peers.getOrDefault(name, Map.of());
        ports.forEach((port, peer) -> {
            String link = name.compareTo(peer) < 0 ? name + "-" + peer : peer + "-" + name;
            link = link.replaceAll(":p.", "");
            boolean isPulled = pulled.contains(link);
            links.add(
                    new LinkRow(
                            port,
                            !isPulled,
                            "lab",
                            link,
                            name,
                            peer,
                            false,
                            true,
                            true,
                            isPulled ? "down" : "as it is",
                            "as it is",
                            0,
                            0));
        });
        return new PathWalk.Node(
                ports,
                links,
                routes.get(name),
                neighbours.getOrDefault(name, List.of()),
                addresses.getOrDefault(name, List.of()));
    }

    @Test
    void allWaysOfEqualCostAreFollowed() {
        PathWalk walk = walk("h1", "h2");
        assertThat(walk.problems()).isEmpty();
        assertThat(walk.complete()).isTrue();
        assertThat(walk.toText())
                .isEqualTo(
                        """
                        h1 to h2, from the tables of the switches
                          e1: from p1 to p2 (c1:p1) or p3 (c2:p1), by the route to 10.2.0.0/16
                          c1: from p1 to p2 (e2:p2), by the route to 10.2.0.0/16
                          e2: from p2 to p1 (h2)
                          c2: from p1 to p2 (e2:p3), by the route to 10.2.0.0/16
                          nothing is missing
                        """);
        assertThat(walk("h1", "10.2.0.1").complete()).isTrue();
    }

    @Test
    void aLinkThatIsDownIsNamedAndHowToPlugItInAndAnotherWayLeadsThere() {
        pulled.add("c1-e1");
        PathWalk walk = walk("h1", "h2");
        assertThat(walk.complete()).isTrue();
        assertThat(walk.toText())
                .contains(
                        "  missing: link c1-e1 is down at e1:p2; 'headgate link c1-e1 up' plugs it"
                                + " in\n")
                .endsWith("  there is a path nevertheless\n");
        routes.put("e1", List.of(route("10.2.0.0/16", "p3", "10.1.3.1")));
        assertThat(walk("h1", "h2").problems())
                .as("withdrawn")
                .anyMatch(line -> line.startsWith("link c1-e1 is down"));
        pulled.add("c2-e2");
        assertThat(walk("h1", "h2").toText())
                .contains("link c2-e2 is down at c2:p2")
                .endsWith("  there is no path\n");
    }

    @Test
    void aHostsOwnLinkThatIsDownLetsNothingThrough() {
        pulled.add("e1-h1");
        assertThat(walk("h1", "h2").complete()).isFalse();
        assertThat(walk("h1", "h2").problems()).anyMatch(line -> line.contains("e1-h1 is down"));
        assertThat(walk("h2", "h1").complete()).isFalse();
    }

    @Test
    void anAbsentRouteIsNamedWithTheAddressAndNotADefaultThatLeadsBack() {
        routes.put("c1", List.of(route("10.9.0.0/16", "p2", "10.3.1.1")));
        routes.put("c2", List.of());
        PathWalk walk = walk("h1", "h2");
        assertThat(walk.complete()).isFalse();
        assertThat(walk.problems())
                .containsExactly(
                        "c1 has no route to h2 (10.2.0.1) ('headgate show routes --switch c1')",
                        "c2 has no route to h2 (10.2.0.1) ('headgate show routes --switch c2')");
    }

    @Test
    void aNextHopThatDoesNotAnswerIsNamedAndNoWayLeadsByIt() {
        neighbours.put("e1", of("10.1.3.1", "p3"));
        PathWalk walk = walk("h1", "h2");
        assertThat(walk.problems())
                .containsExactly(
                        "e1 has no answer from its next hop 10.1.2.1 of the route to 10.2.0.0/16");
        assertThat(walk.steps()).extracting(PathWalk.Step::node).containsExactly("e1", "c2", "e2");
        assertThat(walk.complete()).as("by c2").isTrue();
        routes.put("e1", List.of(route("10.2.0.0/16", "p2", "10.1.2.1")));
        walk = walk("h1", "h2");
        assertThat(walk.problems()).hasSize(1);
        assertThat(walk.complete()).isFalse();
        assertThat(walk.toText()).endsWith("  there is no path\n");
    }

    @Test
    void aHostWhoseRouterDoesNotKnowItIsNamedAndNoWayLeadsThere() {
        neighbours.put("e2", List.of());
        PathWalk walk = walk("h1", "h2");
        assertThat(walk.problems())
                .singleElement(STRING)
                .startsWith("e2 has no MAC address of h2 at p1");
        assertThat(walk.complete()).isFalse();
    }

    @Test
    void aRoutingLoopIsNamedAndAnotherWayIsTaken() {
        routes.put("c1", List.of(route("10.2.0.0/16", "p1", "10.1.2.0")));
        neighbours.put("c1", of("10.1.2.0", "p1"));
        PathWalk walk = walk("h1", "h2");
        assertThat(walk.problems()).containsExactly("frames to h2 circulate in a loop: e1, c1, e1");
        assertThat(walk.complete()).as("by c2").isTrue();
        routes.put("e1", List.of(route("10.2.0.0/16", "p2", "10.1.2.1")));
        assertThat(walk("h1", "h2").problems())
                .containsExactly("frames to h2 circulate in a loop: e1, c1, e1");
        assertThat(walk("h1", "h2").complete()).isFalse();
    }

    @Test
    void aHostAndItselfHaveNoPath() {
        assertThat(walk("h1", "10.1.0.1").problems())
                .containsExactly(
                        "h1 and 10.1.0.1 are both at e1:p1: there is no switch between them");
        assertThat(walk("h1", "10.1.0.1").complete()).isFalse();
    }

    @Test
    void howManySwitchesAreFollowedIsSaid() {
        peers.clear();
        routes.clear();
        for (int i = 0; i < 258; i++) {
            String next = i == 257 ? "h2" : "s" + (i + 1) + ":p1";
            peers.put("s" + i, Map.of("p1", i == 0 ? "h1" : "s" + (i - 1) + ":p2", "p2", next));
        }
        assertThat(walk("h1", "h2").problems())
                .contains("at most 256 switches are followed: the path after s255:p2 is not known")
                .noneMatch(line -> line.contains("does not answer"));
        peers.put("s255", Map.of("p1", "s254:p2", "p2", "h2"));
        assertThat(walk("h1", "h2").complete()).isTrue();
    }

    @Test
    void aSwitchThatDoesNotAnswerAHostThatThereIsNotAndAFarEndUnknownAreNamed() {
        peers.remove("c1");
        peers.put("c2", Map.of("p1", "e1:p3"));
        PathWalk walk = walk("h1", "h2");
        assertThat(walk.problems())
                .anyMatch(line -> line.startsWith("switch c1, after e1:p2, does not answer"))
                .anyMatch(line ->
                        line.contains(
                                "the far end of c2:p2 is not known; it needs 'services: {lldp"));
        assertThat(walk("h1", "h9").problems())
                .containsExactly(
                        "no switch that runs here has a port to h9; known hosts are h1, h2");
        peers.clear();
        assertThat(walk("h1", "h2").problems())
                .containsExactly(
                        "no switch that runs here knows a host; the switches of a lab know"
                                + " their hosts");
    }

    @Test
    void bridgesGoByAddressesAndFloodWhatTheyDoNotKnow() {
        routes.clear();
        neighbours.clear();
        addresses.put("e2", List.of(new FdbEntry("02:00:00:00:00:02", 1, "p1", true, 0)));
        addresses.put("e1", List.of(new FdbEntry("02:00:00:00:00:02", 1, "p3", false, 0)));
        PathWalk walk = walk("h1", "h2");
        assertThat(walk.problems()).isEmpty();
        assertThat(walk.toText())
                .contains("e1: from p1 to p3 (c2:p1), by its address")
                .contains(
                        "c2: from p1 to p2 (e2:p3), by flooding, because it has no address of h2");
        addresses.clear();
        assertThat(walk("h1", "h2").problems())
                .containsExactly(
                        "e2 has not yet learned an address of h2 at p1, so bridges flood"
                                + " frames for it");
        assertThat(walk("h1", "h2").toText()).endsWith("  there is a path nevertheless\n");
    }
}
