package io.headgate.testbed.scenario.bed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.read.PortTrafficReader;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.topology.PlanOptions;
import io.headgate.testbed.topology.Topologies;
import io.headgate.testbed.topology.Topology;
import io.headgate.testbed.traffic.frame.FrameShape;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.traffic.spec.FlowSpec.After;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChangeTest {
    private static final Topology TOPOLOGY =
            Topologies.singleSwitch(4, LinkSpec.of(10_000_000_000L, 1_000))
                    .withPorts(
                            PortTrafficReader.read(
                                    "{flow-control: pfc, congestion: {red: {}}, buffers: {xoff:"
                                            + " 100kB, xon: 90kB}}"));

    private static Experiment experiment() {
        FlowSpec first = FlowSpec.greedy("web", 0, 3, FrameShape.udp(1000));
        return new Experiment(
                TOPOLOGY,
                List.of(
                        first,
                        FlowSpec.greedy("web", 1, 3, FrameShape.udp(1000)),
                        FlowSpec.greedy("mail", 2, 3, FrameShape.udp(1000))
                                .withAfter(List.of(new After(0, 0), new After(1, 0)))),
                List.of(),
                1_000_000_000L,
                Recording.NOTHING);
    }

    private static Experiment with(String change) throws ScenarioException {
        return Change.parse(change).apply(experiment());
    }

    private static long xoffBytes(PortConfig port) {
        return Objects.requireNonNull(port.flowControl().buffers()).xoffBytes();
    }

    private static List<PortConfig> ports(String change) throws ScenarioException {
        SwitchConfig config =
                NetworkPlan.of(TOPOLOGY, PlanOptions.virtual(1)).switches().getFirst();
        return Objects.requireNonNull(with(change).model().adjust()).apply(config).ports();
    }

    @Test
    void aFlowThatIsNotSentKeepsItsPlaceAndHoldsUpNoOther() throws Exception {
        Experiment changed = with("without flow web-2");
        assertThat(changed.flows()).hasSize(3);
        assertThat(changed.flows().get(0)).isEqualTo(experiment().flows().get(0));
        assertThat(changed.flows().get(1).startPs()).isGreaterThan(changed.durationPs());
        assertThat(changed.flows().get(2).after()).containsExactly(new After(0, 0));
        assertThat(with("without flow web").flows().get(2).after()).isEmpty();
        assertThat(with("without flows web-1 and mail").flows())
                .extracting(flow -> flow.startPs() > changed.durationPs())
                .containsExactly(true, false, true);
    }

    @Test
    void aLinkIsDownFromTheBeginning() throws Exception {
        assertThat(with("without link h2-s1").linkOrders())
                .containsExactly(new LinkOrder(0, "h2-s1", false));
    }

    /** Also what may not change while a switch runs; a mechanism stands in the place of others. */
    @Test
    void aKeyIsChangedAtOnePortOrAtAll() throws Exception {
        assertThat(ports("s1.p4.buffers.xoff=200kB"))
                .extracting(ChangeTest::xoffBytes)
                .containsExactly(100_000L, 100_000L, 100_000L, 200_000L);
        assertThat(ports("*.*.buffers.xoff=200kB"))
                .allSatisfy(port -> assertThat(xoffBytes(port)).isEqualTo(200_000));
        assertThat(ports("s1.p2.congestion=rocc"))
                .extracting(
                        port -> port.mechanisms().uses().stream().map(each -> each.name()).toList())
                .containsExactly(List.of("red"), List.of("rocc"), List.of("red"), List.of("red"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    without flow web-3 | no flow is named 'web-3': allowed is web-1? (one of web-1, web-2
                    without link s1-s2 | no link is named 's1-s2': allowed is
                    s2.p1.rate=1Gbps | no switch is named 's2': allowed is
                    s1.p1.rate=fast | p1.rate
                    s1.p1.rate | a change cannot be 's1.p1.rate': allowed is
                    without | a change cannot be 'without': allowed is
                    s1.p1.buffers={xoff: 1kB, xon: 1kB} | a change cannot be
                    """)
    void whatIsNotThereIsToldWithWhatIs(String change, String sentence) {
        assertThatThrownBy(() -> with(change))
                .isInstanceOf(ScenarioException.class)
                .hasMessageContaining(sentence);
    }
}
