package io.headgate.config.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.headgate.config.ConfigException;
import io.headgate.config.FlowControlConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.read.SwitchPatch.Patched;
import io.headgate.config.read.TestMechanisms.Red;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/** What a switch that runs is asked to change: all of it, or nothing and why. */
final class SwitchPatchTest {
    private static final long SEED = Long.getLong("headgate.seed", 20_261_121L);

    private static final SwitchConfig NOW =
            SwitchConfigReader.read(
                    """
                    name: s1
                    defaults: {rate: 10Gbps, flow-control: pfc, buffers: {xoff: 100kB, xon: 90kB}}
                    ports:
                      - {name: p1, device: {tap: t1}, congestion: {red: {enabled: false}}}
                      - {name: eth0.10, device: {tap: t2}, watchdog: {action: alert}}
                      - {name: bridge, device: {tap: t3}, flow-control: none}
                      - {name: p4, device: {tap: t4}, buffers: {alpha: 1/8}}
                    """,
                    "s1.yaml");

    private static Patched set(String... assignments) {
        return SwitchPatch.apply(NOW, List.of(assignments));
    }

    private static String refusal(String... assignments) {
        ConfigException e = catchThrowableOfType(ConfigException.class, () -> set(assignments));
        return Objects.requireNonNull(e, "nothing refused").getMessage();
    }

    private static String refusalOf(String yaml) {
        ConfigException e =
                catchThrowableOfType(
                        ConfigException.class, () -> SwitchPatch.apply(NOW, yaml, "p.yaml"));
        return Objects.requireNonNull(e, "nothing refused").getMessage();
    }

    private static List<String> changes(Patched patched) {
        return patched.changes().stream().map(SwitchChange::toString).toList();
    }

    @Test
    void anXoffThatSlotsNeverLetBeReachedIsRefused() {
        assertThat(refusal("p1.buffers.xoff=900MB"))
                .contains("p1.buffers.xoff: found 900MB; allowed: at most what xoff-slots (");
        assertThat(refusal("p1.buffers.xoff-slots=50", "p1.buffers.xon-slots=40"))
                .contains("p1.buffers.xoff: found 100kB; allowed: at most what xoff-slots (");
        assertThat(changes(set("p1.buffers.xoff=200kB")))
                .containsExactly("p1.buffers.xoff: 100kB -> 200kB");
    }

    @Test
    void assignmentsMakeANewConfigurationAndTellWhatChanged() {
        Patched patched =
                set(
                        "p1.congestion.red.enabled=true",
                        "ports.p1.congestion.red.kmin=5kB",
                        "bridge.ageing=10s",
                        "p1.scheduler=[1, 1, 1, 4, 1, 1, strict, strict]");
        assertThat(changes(patched))
                .containsExactly(
                        "p1.scheduler: strict -> [1, 1, 1, 4, 1, 1, strict, strict]",
                        "p1.congestion.red.enabled: false -> true",
                        "p1.congestion.red.kmin: 100kB -> 5kB",
                        "bridge.ageing: 300s -> 10s");
        Red red = patched.config().ports().getFirst().mechanisms().get(Red.class);
        assertThat(Objects.requireNonNull(red).kminBytes()).isEqualTo(5_000);
        assertThat(patched.config().bridge().ageingNs()).isEqualTo(10_000_000_000L);
        assertThat(patched.config().withPorts(NOW.ports()).withBridge(NOW.bridge())).isEqualTo(NOW);
    }

    @Test
    void aMappingSaysTheSameWithPortsByTheirNames() {
        Patched patched =
                SwitchPatch.apply(
                        NOW,
                        """
                        p1: {congestion: {red: {enabled: true, kmin: 5kB}}}
                        ports: {eth0.10: {rate: 2Gbps}}
                        bridge: {ageing: 10s}
                        """,
                        "p.yaml");
        assertThat(patched)
                .isEqualTo(
                        set(
                                "p1.congestion.red.enabled=true",
                                "p1.congestion.red.kmin=5kB",
                                "eth0.10.rate=2Gbps",
                                "bridge.ageing=10s"));
    }

    @Test
    void aPortMayBeCalledLikeAKeyOrHaveADot() {
        assertThat(changes(set("ports.bridge.rate=1Gbps", "eth0.10.queue-limit=1MB")))
                .containsExactly(
                        "eth0.10.queue-limit: 500kB -> 1MB", "ports.bridge.rate: 10Gbps -> 1Gbps");
    }

    @Test
    void whatFollowedFromAKeyStaysWhenItChanges() {
        FlowControlConfig before = NOW.ports().getFirst().flowControl();
        SwitchConfig after = set("p1.rate=1Gbps").config();
        assertThat(after.ports().getFirst().flowControl()).isEqualTo(before);
    }

    @Test
    void aKeyWithoutAValueIsAsInAFileThatDoesNotHaveIt() {
        assertThat(changes(set("eth0.10.watchdog="))).hasSize(1);
        assertThat(set("eth0.10.watchdog=").config().ports().get(1).flowControl().watchdog())
                .isNull();
        assertThat(set("p1.rate=").config().ports().getFirst().rateBps()).isEqualTo(1_000_000_000);
    }

    @Test
    void aWatchdogMayComeWithOneOfItsKeys() {
        FlowControlConfig.Watchdog watchdog =
                set("p1.watchdog.action=forward")
                        .config()
                        .ports()
                        .getFirst()
                        .flowControl()
                        .watchdog();
        assertThat(Objects.requireNonNull(watchdog).action())
                .isEqualTo(FlowControlConfig.Watchdog.Action.FORWARD);
    }

    @Test
    void sayingWhatHoldsAlreadyChangesNothing() {
        assertThat(set("p1.rate=10000Mbps", "p1.mtu=1500").changes()).isEmpty();
        assertThat(set("p1.rate=10000Mbps").config()).isEqualTo(NOW);
        assertThat(set()).isEqualTo(new Patched(NOW, List.of()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "p1.rate=10 | set: p1.rate: found 10 without a unit; allowed: a rate such as"
                        + " 10Gbps",
                "p1.rat=10Gbps | set: p1.rat: found the unknown key \"rat\"; allowed: rate?",
                "p1.congestion.red.kmn=1kB | p1.congestion.red.kmn: found the unknown key",
                "p1.congestion.red.kmax=1kB | p1.congestion.red.kmax: found 1kB; allowed: at least",
                "p1.congestion.red.queues=4 | found 4; allowed: 8, until the switch restarts:"
                        + " its",
                "p1.congestion.meter.rate=1Gbps | p1.congestion.meter: found {enabled: true, rate:"
                        + " 1Gbps}",
                "p1.congestion.red= | p1.congestion: found nothing; allowed: {red: {enabled: false,"
                        + " kmin:",
                "p9.rate=1Gbps | set: p9.rate: found no port and no key \"p9\"; allowed: one of p1,",
                "brigde.ageing=1s | found no port and no key \"brigde\"; allowed: bridge? (one",
                "defaults.rate=1Gbps | defaults.rate: found no port and no key \"defaults\";"
                        + " allowed:",
                "p1.mtu=9000 | p1.mtu: found 9000; allowed: 1500, until the switch restarts:"
                        + " slots",
                "p1.mtu=20 | p1.mtu: found 20; allowed: 1500, until the switch restarts: slots,",
                "p1.name=x | p1.name: found x; allowed: p1, until the switch restarts: commands and"
                        + " outputs identify the port by it",
                "p1.device={tap: t9} | p1.device.tap.interface: found t9; allowed: t1, until the",
                "p1.lossless=[3, 4] | p1.lossless: found [3, 4]; allowed: [3], until the switch",
                "p1.flow-control=credits | p1.flow-control: found credits; allowed: pfc, until",
                "memory.slots-per-port=65536 | slots-per-port: found 65536; allowed: 8192, until"
                        + " the",
                "mode=routed | set: mode: found routed; allowed: bridge, until the switch"
                        + " restarts",
                "p1.buffers.alpha=1/4 | p1.buffers.alpha: found 1/4; allowed: nothing, until the",
                "p1.buffers.xon=200kB | p1.buffers.xon: found 200kB; allowed: less than xoff,"
                        + " which",
                "ports.bridge.watchdog={} | found flow-control: none; allowed: flow-control: pfc,",
                "routed.neighbour-timeout=5s | set: routed: found mode: bridge; allowed: mode: routed",
                "p1.vlan=[ | set: p1.vlan: found broken YAML",
                "p1.rate | set: found \"p1.rate\"; allowed: KEY=VALUE, such as p1.rate=1Gbps",
                "p1=5 | set: p1: found a whole port; allowed: one of its keys, such as p1.rate",
                "bridge.static.mac=5 | bridge.static.mac: found 5; allowed: nothing, until the"
                        + " switch"
            })
    void whatIsWrongIsToldWithTheKeyAndWhatIsAllowed(String assignment, String refusal) {
        assertThat(refusal(assignment)).contains(refusal);
        assertThat(refusal("p4.rate=2Gbps", assignment)).contains(refusal);
    }

    @Test
    void oneKeyHasOneValue() {
        assertThat(refusal("p1.rate=1Gbps", "ports.p1.rate=2Gbps"))
                .isEqualTo("set: p1.rate: found two values, 1Gbps and 2Gbps; allowed: one");
        assertThat(refusal("p1.rate=1Gbps", "p1.rate=1Gbps")).contains("found two values");
        assertThat(refusal("p1.rate=1Gbps", "p1.rate=2Gbps", "p1.rate=3Gbps").lines()).hasSize(2);
        String part = "set: eth0.10.watchdog.action: found forward, and nothing for the whole of";
        assertThat(refusal("eth0.10.watchdog=", "eth0.10.watchdog.action=forward"))
                .isEqualTo(part + " eth0.10.watchdog; allowed: one of the two");
        assertThat(refusal("eth0.10.watchdog.action=forward", "eth0.10.watchdog="))
                .isEqualTo(part + " eth0.10.watchdog; allowed: one of the two");
        assertThat(refusalOf("p1: {rate: 1Gbps}\nports:\n  p1: {rate: 2Gbps}\n"))
                .startsWith("p.yaml:3:14: p1.rate: found two values, 1Gbps and 2Gbps");
        assertThat(changes(set("p1.buffers={xoff: 200kB}", "p1.buffers.xon=80kB"))).hasSize(2);
    }

    @Test
    void aPatchFileHasLinesAndColumns() {
        assertThat(refusalOf("bridge:\n  ageing: 10s\np1:\n  rate: fast\n"))
                .isEqualTo(
                        "p.yaml:4:9: p1.rate: found \"fast\"; allowed: a rate such as 10Gbps,"
                                + " 100Mbps, from 1Mbps to 400Gbps");
        assertThat(refusalOf("p1: {mtu: 9000}\n")).startsWith("p.yaml:1:11: p1.mtu: found 9000");
        assertThat(refusalOf("p7: {mtu: 9000}\n")).startsWith("p.yaml:1:5: p7: found no port and");
        assertThat(refusalOf("ports: [{name: p1, rate: 1Gbps}]\n"))
                .contains("ports: found no mapping; allowed: ports by their names");
        assertThat(refusalOf("p1: {rate: 1Gbps")).contains("broken YAML");
    }

    @Test
    void allThatIsWrongIsToldAtOnce() {
        assertThat(refusal("p1.rate=1", "p1.queue-limit=2").lines()).hasSize(2);
        assertThat(refusal("p8.rate=1Gbps", "p9.rate=1Gbps").lines()).hasSize(2);
    }

    @Test
    void differencesOfTwoFilesSayWhichOfThemNeedANewStart() {
        SwitchConfig other =
                SwitchConfigReader.read(
                        """
                        name: s1
                        defaults: {rate: 10Gbps, flow-control: pfc, buffers: {xoff: 99kB, xon: 90kB}}
                        ports:
                          - {name: p1, device: {tap: t1}}
                          - {name: bridge, device: {tap: t9}, flow-control: none}
                          - {name: p4, device: {tap: t4}, buffers: {alpha: 1/4}}
                        """,
                        "s1.yaml");
        List<SwitchChange> changes = SwitchChange.between(NOW, other);
        assertThat(changes)
                .extracting(SwitchChange::key)
                .containsExactly(
                        "ports",
                        "p1.account-cap",
                        "p1.account-cap-slots",
                        "p1.buffers.xoff",
                        "p1.buffers.xoff-slots",
                        "p1.buffers.xon-slots",
                        "p1.congestion",
                        "ports.bridge.device.tap.interface",
                        "p4.buffers.alpha");
        assertThat(changes.stream().filter(change -> change.refusal() == null))
                .extracting(SwitchChange::key)
                .containsExactly(
                        "p1.account-cap",
                        "p1.account-cap-slots",
                        "p1.buffers.xoff",
                        "p1.buffers.xoff-slots",
                        "p1.buffers.xon-slots",
                        "p4.buffers.alpha");
        assertThat(SwitchChange.between(other, other)).isEmpty();
    }

    /** Each starts from the result of the one before it, also if another switch is patched then. */
    @Test
    void patchesThatFollowEachOtherTellWhatEachChanges() {
        Patched first = set("p1.buffers.xoff=200kB");
        Patched next = SwitchPatch.apply(first.config(), List.of("p1.buffers.xoff=300kB"));
        Patched other = set("bridge.ageing=10s");
        Patched second = SwitchPatch.apply(first.config(), List.of("p1.buffers.xoff=100kB"));
        assertThat(changes(first)).containsExactly("p1.buffers.xoff: 100kB -> 200kB");
        assertThat(changes(next)).containsExactly("p1.buffers.xoff: 200kB -> 300kB");
        assertThat(changes(other)).containsExactly("bridge.ageing: 300s -> 10s");
        assertThat(changes(second)).containsExactly("p1.buffers.xoff: 200kB -> 100kB");
        assertThat(second.config()).isEqualTo(NOW);
    }

    /** A patch that sets a key to what another configuration has makes it so, or is refused. */
    @Test
    void everyKeyCanBeSetOrSaysWhyNot() {
        RandomConfigs configs = new RandomConfigs(SEED);
        Random random = new Random(SEED);
        int set = 0;
        int refused = 0;
        for (int i = 0; i < 50; i++) {
            SwitchConfig now = configs.next();
            SwitchConfig other = configs.next();
            List<String> keys = new ArrayList<>();
            flatten("", SwitchConfigs.toMap(other), keys);
            Map<String, Object> port = SwitchConfigs.toMap(other);
            List<String> ofPort = new ArrayList<>();
            if (port.get("ports") instanceof List<?> ports) {
                flatten("", ports.getFirst(), ofPort);
            }
            String name = now.ports().get(random.nextInt(now.ports().size())).name();
            for (String key : ofPort) {
                keys.add("ports." + name + "." + key);
            }
            for (int j = 0; j < 20; j++) {
                String assignment = keys.get(random.nextInt(keys.size()));
                try {
                    Patched patched = SwitchPatch.apply(now, List.of(assignment));
                    set++;
                    assertThat(SwitchChange.between(now, patched.config()))
                            .as("seed %d, %s", SEED, assignment)
                            .isEqualTo(patched.changes());
                    assertThat(patched.changes())
                            .allSatisfy(change -> assertThat(change.refusal()).isNull());
                } catch (ConfigException e) {
                    refused++;
                    assertThat(e.getMessage()).contains("set").contains("; allowed: ");
                }
            }
        }
        assertThat(set).as("patches taken").isGreaterThan(100);
        assertThat(refused).as("patches refused").isGreaterThan(100);
    }

    private static void flatten(String at, Object value, List<String> assignments) {
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, inner) -> {
                if (!key.equals("ports")) {
                    flatten(at.isEmpty() ? (String) key : at + "." + key, inner, assignments);
                }
            });
        } else {
            assignments.add(at + "=" + json(value));
        }
    }

    private static String json(Object value) {
        return new JsonMapper().writeValueAsString(value);
    }
}
