package io.headgate.testbed.scenario.file;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.Mechanisms;
import io.headgate.config.key.Quantity;
import io.headgate.config.yaml.YamlConfig;
import io.headgate.dataplane.frame.MacAddress;
import io.headgate.testbed.hook.Pauses;
import io.headgate.testbed.hook.PausesConfig;
import io.headgate.testbed.hook.PausesConfig.Train;
import io.headgate.testbed.topology.Topology;
import java.util.ArrayList;
import java.util.List;

/** Reads what hosts do against the rules of pauses: send some of their own accord, or obey none. */
final class PausesReader {
    private static final long PS_PER_NS = 1000;
    private static final int ENDLESS = 1_000_000_000;
    private static final long OWN = -1;

    private final YamlConfig yaml;
    private final Topology topology;
    private final TrafficReader traffic;

    PausesReader(YamlConfig yaml, Topology topology, TrafficReader traffic) {
        this.yaml = yaml;
        this.topology = topology;
        this.traffic = traffic;
    }

    /** The topology whose hosts do so. */
    Topology read() {
        List<Integer> deaf = yaml.isGiven("/deaf") ? traffic.hosts("/deaf") : List.of();
        List<List<Train>> trains = new ArrayList<>();
        topology.hosts().forEach(_ -> trains.add(new ArrayList<>()));
        for (String at : yaml.items("/pauses")) {
            for (int host : traffic.hosts(at + "/from")) {
                trains.get(host).add(train(at, traffic.rateBps(host)));
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

    private Train train(String at, long rateBps) {
        List<Integer> priorities = new ArrayList<>();
        yaml.items(at + "/priorities").forEach(item -> priorities.add(yaml.count(item, 0)));
        int vector = priorities.stream().mapToInt(priority -> 1 << priority).sum();
        int quanta = yaml.count(at + "/quanta", 0xFFFF);
        boolean once = quanta == 0 && !yaml.isGiven(at + "/every");
        long standardNs = once ? 1 : Math.max(1, ConfigDefaults.pauseNs(quanta, rateBps) / 2);
        long everyNs =
                Math.max(
                        1,
                        yaml.quantity(at + "/every", Quantity.DELAY, standardNs * PS_PER_NS)
                                / PS_PER_NS);
        long stopNs = yaml.quantity(at + "/stop", Quantity.DELAY, Long.MAX_VALUE) / PS_PER_NS;
        String source = yaml.text(at + "/source", "");
        return new Train(
                yaml.choice(at + "/kind", PausesConfig.Kind.PFC),
                List.copyOf(priorities),
                yaml.count(at + "/vector", vector),
                quanta,
                everyNs,
                yaml.count(at + "/times", once ? 1 : ENDLESS),
                yaml.quantity(at + "/start", Quantity.DELAY, 0) / PS_PER_NS,
                stopNs,
                source.isEmpty() ? OWN : MacAddress.parse(source));
    }
}
