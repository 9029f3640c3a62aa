package io.headgate.testbed.scenario.file;

import static io.headgate.config.key.Quantity.DELAY;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.Mechanisms;
import io.headgate.config.key.Allowed;
import io.headgate.config.key.Items;
import io.headgate.config.key.Key;
import io.headgate.config.key.Otherwise;
import io.headgate.config.key.Says;
import io.headgate.dataplane.frame.MacAddress;
import io.headgate.testbed.hook.Pauses;
import io.headgate.testbed.hook.PausesConfig;
import io.headgate.testbed.hook.PausesConfig.Train;
import io.headgate.testbed.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An entry of {@code pauses}: unsolicited pause frames that hosts send. */
record PausesEntry(
        @Key(pattern = TrafficEntry.HOST)
                @Says("Hosts that send the pauses.")
                @Allowed(TrafficEntry.HOSTS_ALLOWED)
                @Items(min = 1, max = 10000, orOne = true, each = TrafficEntry.HOST_ALLOWED)
                List<String> from,
        @Key(absent = "pfc") @Says("pfc, or pause for the whole link (IEEE 802.3x).")
                PausesConfig.Kind kind,
        @Key(min = "0", max = "7")
                @Says("Priorities that get the quanta; all others get 0.")
                @Allowed("a list of different priorities from 0 to 7, such as [3, 4]")
                @Items(max = 8, unique = true, each = "a priority from 0 to 7, such as 3")
                List<Integer> priorities,
        @Key(min = "0", max = "65535", example = "24 for priorities 3 and 4")
                @Says("The whole vector of enabled priorities, its reserved byte included.")
                @Otherwise("the priorities")
                @Nullable Integer vector,
        @Key(unit = "quanta", min = "0", max = "65535", absent = "65535")
                @Says("Length of each pause, in 512 bit times; 0 resumes.")
                int quanta,
        @Key(quantity = DELAY, min = "1ns", max = "1000s", example = "1ms")
                @Says("Interval of the pauses.")
                @Otherwise(
                        "half of a pause, so that no pause expires; if quanta is 0, a single pause")
                long everyPs,
        @Key(unit = "frames", min = "1", max = "1000000000", example = "10")
                @Says("Maximum number of pauses.")
                @Otherwise("no limit; 1 if quanta is 0 and every is not given")
                int times,
        @Key(quantity = DELAY, min = "0s", max = "1000s", absent = "0s", example = "1ms")
                @Says("Time of the first pause.")
                long startPs,
        @Key(quantity = DELAY, min = "0s", max = "1000s", example = "1ms")
                @Says("No pause is sent from this time on.")
                @Otherwise("the run's end")
                @Nullable Long stopPs,
        @Key(pattern = "^([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}$")
                @Says("Source MAC address.")
                @Otherwise("the host's own")
                @Allowed("a MAC address, such as \"00:00:00:00:00:00\"")
                @Nullable String source) {
    private static final long PS_PER_NS = 1000;
    private static final int ENDLESS = 1_000_000_000;
    private static final long OWN = -1;

    /** The train in the form of a host's card, at its link's rate. */
    Train at(long rateBps) {
        boolean once = quanta == 0 && everyPs == 0;
        long standardNs = once ? 1 : ConfigDefaults.pauseNs(quanta, rateBps) / 2;
        int sorted = priorities.stream().mapToInt(priority -> 1 << priority).sum();
        return new Train(
                kind,
                priorities,
                Objects.requireNonNullElse(vector, sorted),
                quanta,
                Math.max(1, everyPs == 0 ? standardNs : everyPs / PS_PER_NS),
                times > 0 ? times : once ? 1 : ENDLESS,
                startPs / PS_PER_NS,
                Objects.requireNonNullElse(stopPs, Long.MAX_VALUE) / PS_PER_NS,
                source == null ? OWN : MacAddress.parse(source));
    }

    /** The topology with hosts that send the pauses of a file, or do not obey pauses. */
    static Topology hosts(ScenarioFile file, Topology topology, TrafficReader traffic) {
        List<Integer> deaf = traffic.hosts(file.deaf(), "/deaf");
        List<List<Train>> trains = new ArrayList<>();
        topology.hosts().forEach(_ -> trains.add(new ArrayList<>()));
        for (int i = 0; i < file.pauses().size(); i++) {
            PausesEntry entry = file.pauses().get(i);
            for (int host : traffic.hosts(entry.from, "/pauses/" + i + "/from")) {
                trains.get(host).add(entry.at(topology.rateBps(host)));
            }
        }
        if (deaf.isEmpty() && trains.stream().allMatch(List::isEmpty)) {
            return topology;
        }
        List<Topology.Host> hosts = new ArrayList<>();
        for (int host = 0; host < trains.size(); host++) {
            List<Train> own = trains.get(host);
            Mechanisms hooks =
                    own.isEmpty()
                            ? Mechanisms.NONE
                            : Mechanisms.NONE.with(
                                    new Pauses().use(new PausesConfig(List.copyOf(own))));
            String name = topology.hosts().get(host).name();
            hosts.add(new Topology.Host(name, !deaf.contains(host), hooks));
        }
        return topology.withHosts(hosts);
    }
}
