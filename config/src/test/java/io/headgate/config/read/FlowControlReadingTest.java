package io.headgate.config.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.ConfigException;
import io.headgate.config.ConfigProblem;
import io.headgate.config.DetourNeeds;
import io.headgate.config.FlowControlConfig;
import io.headgate.config.Headroom;
import io.headgate.config.Mechanisms;
import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.TrafficConfig;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a file says of priorities and flow control, and what is said of a wrong one. */
final class FlowControlReadingTest {
    private static final String BEGIN = "name: s1\nports:\n  - {name: p1, device: {afpacket: v1}";

    private static SwitchConfig read(String portKeys) {
        return SwitchConfigReader.read(BEGIN + portKeys + "}\n", "f.yaml");
    }

    private static PortConfig port(String portKeys) {
        return read(portKeys).ports().getFirst();
    }

    private static List<String> problems(String text) {
        ConfigException e =
                catchThrowableOfType(
                        ConfigException.class, () -> SwitchConfigReader.read(text, "f.yaml"));
        return Objects.requireNonNull(e, "no problem found").problems().stream()
                .map(ConfigProblem::toString)
                .toList();
    }

    @Test
    void sayingNothingLeavesEverythingAsItWas() {
        PortConfig port = port("");
        assertThat(port.traffic()).isEqualTo(TrafficConfig.DEFAULT);
        assertThat(port.flowControl()).isEqualTo(FlowControlConfig.NONE);
        assertThat(port).isEqualTo(ConfigDefaults.port("p1", port.device()));
        assertThat(port.promisedSlots()).isZero();
    }

    @Test
    void classificationTakesTablesAndRanges() {
        TrafficConfig traffic =
                port(", classify: {trust: dscp, default: 1, pcp: [7, 6, 5, 4, 3, 2, 1, 0],"
                                + " dscp: [{values: [26, 40-42], priority: 3}]}")
                        .traffic();
        assertThat(traffic.classify().trust()).isEqualTo(TrafficConfig.Trust.DSCP);
        assertThat(traffic.classify().defaultPriority()).isEqualTo(1);
        assertThat(traffic.classify().priorityOfPcp()).containsExactly(7, 6, 5, 4, 3, 2, 1, 0);
        for (int dscp = 0; dscp < 64; dscp++) {
            boolean named = dscp == 26 || (dscp >= 40 && dscp <= 42);
            assertThat(traffic.classify().priorityOfDscp().get(dscp))
                    .isEqualTo(named ? 3 : dscp / 8);
        }
    }

    @Test
    void losslessPrioritiesFollowFromTheMode() {
        assertThat(port(", flow-control: pfc").traffic().lossless()).containsExactly(3);
        assertThat(port(", flow-control: credits").traffic().lossless()).containsExactly(3);
        assertThat(port(", flow-control: pause").traffic().losslessMask()).isEqualTo(0xFF);
        assertThat(port(", flow-control: pfc, lossless: [6, 1]").traffic().lossless())
                .containsExactly(1, 6);
    }

    @Test
    void schedulerTakesAWordOrEightOfThem() {
        assertThat(port(", scheduler: dwrr").traffic().weights())
                .containsExactly(1, 1, 1, 1, 1, 1, 1, 1);
        assertThat(port(", scheduler: [1, 2, strict, 4, 5, 6, 7, strict]").traffic().weights())
                .containsExactly(1, 2, 0, 4, 5, 6, 7, 0);
        assertThat(port(", priority-rates: [{priority: 3, rate: 2Gbps}]").traffic())
                .extracting(traffic -> traffic.rateLimitsBps().get(3))
                .isEqualTo(2_000_000_000L);
    }

    @Test
    void headroomFollowsFromRateMtuAndLink() {
        PortConfig port =
                port(
                        ", rate: 10Gbps, flow-control: pfc,"
                                + " link: {delay: 2us, own-reaction: 0ns, peer-reaction: 10us},"
                                + " buffers: {xoff: 800kB, xon: 770kB}");
        FlowControlConfig.Buffers buffers = Objects.requireNonNull(port.flowControl().buffers());
        Headroom headroom = new Headroom(port.rateBps(), 1500, port.flowControl().link());
        assertThat(buffers.xoffBytes()).isEqualTo(800_000);
        assertThat(buffers.xonBytes()).isEqualTo(770_000);
        assertThat(buffers.headroomBytes()).isEqualTo(headroom.bytes());
        assertThat(buffers.headroomSlots()).isEqualTo(headroom.slots());
        assertThat(buffers.isDynamic()).isFalse();
    }

    @Test
    void slotsGrowWithWhatLosslessPrioritiesArePromised() {
        SwitchConfig config = read(", rate: 10Gbps, flow-control: pfc, lossless: [3, 4]");
        PortConfig port = config.ports().getFirst();
        int left = config.memory().slotsPerPort() - port.promisedSlots() - 64;
        assertThat(config.memory().slotsPerPort()).isGreaterThan(4096);
        assertThat(left).isGreaterThanOrEqualTo(6 * 64);
        assertThat(port.accountCapSlots()).isEqualTo(left / 6);
    }

    @Test
    void alphaMakesThresholdsDynamicOverWhatIsLeft() {
        SwitchConfig config = read(", flow-control: pfc, buffers: {alpha: 1/8}");
        PortConfig port = config.ports().getFirst();
        FlowControlConfig.Buffers buffers = Objects.requireNonNull(port.flowControl().buffers());
        assertThat(buffers.alphaExponent()).isEqualTo(-3);
        assertThat(port.promisedSlots() + buffers.sharedSlots() + 64)
                .isEqualTo(config.memory().slotsPerPort());
        assertThat(
                        Objects.requireNonNull(
                                        port(", flow-control: pfc, buffers: {alpha: 4}")
                                                .flowControl()
                                                .buffers())
                                .alphaExponent())
                .isEqualTo(2);
    }

    @Test
    void wherePrioritiesAreAllLosslessAlphaMayLeaveLessThanAFrame() {
        PortConfig port = port(", flow-control: pause, buffers: {alpha: 1/128, shared: 100kB}");
        assertThat(port.sharedSlots()).isPositive();
    }

    @Test
    void refreshIsAQuarterOfThePauseUnlessGiven() {
        FlowControlConfig.Pause pause =
                Objects.requireNonNull(
                        port(", rate: 10Gbps, flow-control: pfc").flowControl().pause());
        assertThat(pause.quanta()).isEqualTo(65_535);
        assertThat(pause.refreshNs()).isEqualTo(3_355_392 / 4);
    }

    @Test
    void defaultsOfAllPortsLeavePortsWithoutFlowControlAlone() {
        SwitchConfig config =
                SwitchConfigReader.read(
                        "name: s1\n"
                                + "defaults: {flow-control: pfc, lossless: [3],"
                                + " buffers: {xoff: 50kB}, watchdog: {action: alert}}\n"
                                + "ports:\n"
                                + "  - {name: p1, device: {afpacket: v1}}\n"
                                + "  - {name: p2, device: {afpacket: v2}, flow-control: none}\n",
                        "f.yaml");
        assertThat(config.ports().get(0).traffic().lossless()).containsExactly(3);
        assertThat(config.ports().get(1).traffic().lossless()).isEmpty();
        assertThat(config.ports().get(1).flowControl()).isEqualTo(FlowControlConfig.NONE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "flow-control: cbfc | ports[0].flow-control: found \"cbfc\" | none, pfc, pause or",
                "lossless: [3] | ports[0].lossless: found flow-control: none | pfc, pause or",
                "flow-control: pfc, lossless: [8] | ports[0].lossless[0]: found 8 | from 0 to 7",
                "flow-control: pfc, lossless: [3, 3] | ports[0].lossless: | different",
                "flow-control: pfc, credits: {period: 1ms} | credits: found flow-control: pfc |",
                "flow-control: credits, buffers: {xoff: 1kB} | buffers: found flow-control: | pfc",
                "flow-control: pfc, buffers: {xoff: 1kB} | xoff: found 1kB | two frames",
                "flow-control: pfc, buffers: {xoff: 9kB, xon: 9kB} | buffers.xon: found 9kB | less",
                "flow-control: pfc, buffers: {xoff-slots: 9, xon-slots: 9} | xon-slots: found 9 |",
                "flow-control: pfc, buffers: {xoff: 300kB, xoff-slots: 100} | xoff: found 300kB |"
                        + " at most what xoff-slots (100) can hold in frames of the port's MTU,",
                "flow-control: pfc, buffers: {xoff-slots: 1} | xoff-slots: found 1 slot | at least",
                "flow-control: pfc, buffers: {alpha: 1/3} | alpha: found \"1/3\" | 1/128, 1/64",
                "flow-control: pfc, buffers: {alpha: 1, xoff: 9kB} | xoff with alpha | one or the",
                "flow-control: pfc, buffers: {shared: 9kB} | shared without alpha | one or the",
                "flow-control: pfc, buffers: {alpha: 1, shared: 1kB} | shared: found 1kB | eight",
                "flow-control: pfc, buffers: {alpha: 1/128, shared: 100kB} | 1/128 of a pool | lossy",
                "flow-control: pfc, buffers: {alpha: 1/16, shared-slots: 15} | 15 slots | 16 slots",
                "flow-control: pfc, pause: {quanta: 10, refresh: 1ms} | refresh: found 1ms | 5120ns",
                "flow-control: pfc, pause: {quanta: 65536} | quanta: found 65536 | from 1 to 65535",
                "flow-control: credits, credits: {buffer: 1kB} | buffer: found 1kB | one frame",
                "flow-control: credits, credits: {buffer-slots: 5} | found 5 slots | frame of",
                "flow-control: credits, credits: {buffer: 64kB, buffer-slots: 1001} | found 1001"
                        + " slots | one per 64 bytes of the buffer, the minimum that a frame takes:"
                        + " 1000",
                "flow-control: credits, credits: {period: 1us} | min-gap: found 20us | at most",
                "flow-control: credits, credits: {block-scale: 8} | block-scale: found 8 | 0 to 7",
                "flow-control: pfc, watchdog: {poll: 1s} | poll: found 1s | which is 200ms",
                "flow-control: credits, detour: {bypass: {}} | bypass: found flow-control: credits |"
                        + " : pfc",
                "flow-control: pause, detour: {bypass: {}} | bypass: found flow-control: pause |"
                        + " : pfc",
                "detour: {bypass: {}} | detour.bypass: found flow-control: none | : pfc",
                "flow-control: pfc, detour: {bypass: {}}, mtu: 1703 | mtu: found 1703 with slots |"
                        + " at most 1702",
                "scheduler: [1, 2] | ports[0].scheduler: found | a list of eight",
                "scheduler: [1, 2, 3, 4, 5, 6, 7, 0] | scheduler[7]: found 0 | 1 to 100",
                "scheduler: fair | ports[0].scheduler: found \"fair\" | strict, dwrr",
                "priority-rates: [{priority: 3}] | priority-rates[0].rate: found nothing | a rate",
                "classify: {trust: dscp, dscp: [{values: [64], priority: 1}]} | values[0]: found 64 | 0 to 63",
                "classify: {trust: dscp, dscp: [{values: [9-4], priority: 1}]} | values[0]: found 9-4 | 0 to 63",
                "classify: {trust: dscp, dscp: [{values: [4, 4], priority: 1}]} | DSCP 4 a second | each DSCP",
                "classify: {dscp: [{values: [26], priority: 3}]} | classify.dscp: found trust: pcp |"
                        + " trust: dscp",
                "classify: {pcp: [1, 2]} | classify.pcp: found | a list of eight",
                "classify: {trust: cos} | classify.trust: found \"cos\" | port, pcp or dscp"
            })
    void everythingWrongIsToldWithItsLine(String keys, String found, String allowed) {
        List<String> problems = problems(BEGIN + ", " + keys + "}\n");
        assertThat(String.join("\n", problems))
                .contains("f.yaml:3:")
                .contains(found)
                .contains(allowed == null ? "" : allowed);
    }

    @Test
    void framesThatComeByADetourHaveSlotsForAllThatOtherPortsBring() {
        String ports =
                """
                name: s1
                defaults: {flow-control: pfc, lossless: [3, 4]}
                ports:
                  - {name: p1, device: {tap: t1}, detour: {bypass: {brings: 64, slots: 15}}}
                  - {name: p2, device: {tap: t2}, detour: {bypass: {slots: 256}}}
                  - {name: p3, device: {tap: t3}, detour: {bypass: {slots: 256}}}
                """;
        assertThat(problems(ports))
                .singleElement()
                .asString()
                .contains(
                        "ports[0].detour.bypass: found slots for 15 frames per priority, but"
                                + " detours of other ports may bring 16")
                .contains("slots for at least 16");
        SwitchConfig config =
                SwitchConfigReader.read(ports.replace("slots: 15", "slots: 16"), "f.yaml");
        int without = config.ports().getFirst().flowControl().promisedSlots();
        assertThat(config.ports().getFirst().promisedSlots()).isEqualTo(2 * (without + 16));
    }

    @Test
    void whatADetourReservesNobodyElseHas() {
        String more = ", flow-control: pfc, lossless: [3, 4], buffers: {alpha: 1}";
        PortConfig with = roomy(more + ", detour: {bypass: {enabled: false, slots: 50}}");
        PortConfig without = roomy(more);
        assertThat(shared(with)).isEqualTo(shared(without) - 2 * 50);
        String fixed = ", flow-control: pfc, rate: 100Mbps, lossless: [3, 4]";
        PortConfig capped = roomy(fixed + ", detour: {bypass: {slots: 50}}");
        assertThat(capped.accountCapSlots()).isLessThan(roomy(fixed).accountCapSlots());
    }

    private static PortConfig roomy(String keys) {
        return SwitchConfigReader.read(
                        BEGIN + keys + "}\nmemory: {slots-per-port: 16384}\n", "f.yaml")
                .ports()
                .getFirst();
    }

    private static int shared(PortConfig port) {
        return port.sharedSlots();
    }

    @Test
    void inWhatAllPortsHaveInCommonADetourServesThoseThatItWorksWith() {
        SwitchConfig config =
                SwitchConfigReader.read(
                        """
                        name: s1
                        defaults: {flow-control: pfc, detour: {bypass: {}}}
                        ports:
                          - {name: p1, device: {tap: t1}}
                          - {name: p2, device: {tap: t2}, flow-control: credits}
                        """,
                        "f.yaml");
        assertThat(DetourNeeds.of(config.ports().get(0).mechanisms()).growsBytes()).isEqualTo(4);
        assertThat(config.ports().get(1).mechanisms()).isEqualTo(Mechanisms.NONE);
    }

    @Test
    void slotsThatCannotHoldThePromiseAreRefusedWithTheNumberThatCan() {
        assertThat(
                        problems(
                                BEGIN
                                        + ", rate: 10Gbps, flow-control: pfc}\n"
                                        + "memory: {slots-per-port: 4096}\n"))
                .anySatisfy(problem ->
                        assertThat(problem)
                                .contains("memory.slots-per-port")
                                .contains("slots for 1 lossless priorities"));
    }

    @Test
    void aBufferThatPortsShareHasAPortThatDoesAndRoomForItsShare() {
        String shared = "}\nmemory: {shared: 2MB, slots-per-port: 4096}\n";
        assertThat(problems(BEGIN + ", flow-control: pfc" + shared))
                .singleElement()
                .asString()
                .contains("memory.shared: found 2MB, but no port uses it");
        String few = ", flow-control: pfc, buffers: {alpha: 1, shared-slots: 100}";
        assertThat(problems(BEGIN + few + shared))
                .singleElement()
                .asString()
                .contains(
                        "memory.shared: found 2MB, but p1 may use up to 1875186B of it and has"
                                + " room for only")
                .contains("ports[0].buffers.shared-slots 1233");
        SwitchConfig config =
                SwitchConfigReader.read(BEGIN + few.replace("100", "1233") + shared, "f.yaml");
        assertThat(config.memory().sharedBytes()).isEqualTo(2_000_000);
    }
}
