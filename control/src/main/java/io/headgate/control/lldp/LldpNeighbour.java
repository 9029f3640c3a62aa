package io.headgate.control.lldp;

import io.headgate.config.PortConfig;
import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.assembly.SwitchEngine;
import io.headgate.dataplane.lldp.LldpAgent;
import io.headgate.dataplane.lldp.LldpUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * The announcement of a port's neighbour (IEEE 802.1AB, LLDP).
 *
 * @param system the far end's name; empty if it announces none
 * @param secondsLeft seconds until the entry expires
 * @param pfc priorities with priority flow control there, as bits; below 0: not announced
 * @param ownPfc the same for this end
 * @param problem why frames may be lost, in a sentence; empty if both ends agree
 */
public record LldpNeighbour(
        String port,
        String system,
        String chassis,
        String farPort,
        long ageMs,
        long secondsLeft,
        int pfc,
        int ownPfc,
        String problem) {
    private static final long NS_PER_S = 1_000_000_000L;

    /** Rows of all ports whose neighbour is known and has not expired at that time. */
    public static List<LldpNeighbour> of(SwitchEngine engine, long nowNs) {
        List<LldpNeighbour> rows = new ArrayList<>();
        LldpAgent agent = engine.service(LldpAgent.class);
        List<PortConfig> ports = engine.config().ports();
        for (int number = 0; agent != null && number < ports.size(); number++) {
            LldpAgent.Heard heard = agent.heard(number);
            LldpUnit unit = heard == null ? null : LldpUnit.parse(heard.unit());
            if (heard == null || unit == null) {
                continue;
            }
            long ageNs = Math.max(0, nowNs - heard.receivedNs());
            long leftNs = unit.timeToLiveSeconds() * NS_PER_S - ageNs;
            if (leftNs > 0) {
                int own = LldpAgent.pfcPriorities(ports.get(number));
                rows.add(
                        new LldpNeighbour(
                                ports.get(number).name(),
                                unit.systemName(),
                                unit.chassis(),
                                unit.port(),
                                ageNs / 1_000_000,
                                leftNs / NS_PER_S,
                                unit.pfcPriorities(),
                                own,
                                problem(ports.get(number).name(), own, unit)));
            }
        }
        return rows;
    }

    private static String problem(String port, int own, LldpUnit unit) {
        if (unit.pfcPriorities() == LldpUnit.NOT_SAID || unit.pfcPriorities() == own) {
            return "";
        }
        String far = unit.systemName().isEmpty() ? unit.chassis() : unit.systemName();
        return ("port %s has priority flow control (IEEE 802.1Qbb PFC) for %s, but its far end %s"
                        + " has it for %s: frames of the other priorities can be lost because one"
                        + " end does not stop for the other; give both ends the same flow-control"
                        + " and lossless")
                .formatted(port, priorities(own), far, priorities(unit.pfcPriorities()));
    }

    /** The priorities of a bit mask, in words. */
    public static String priorities(int bits) {
        List<String> numbers = new ArrayList<>();
        for (int priority = 0; priority < TrafficConfig.PRIORITIES; priority++) {
            if ((bits >>> priority & 1) != 0) {
                numbers.add(Integer.toString(priority));
            }
        }
        return numbers.isEmpty() ? "no priority" : "priority " + String.join(", ", numbers);
    }
}
