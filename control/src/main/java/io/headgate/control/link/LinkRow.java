package io.headgate.control.link;

import io.headgate.config.DeviceConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.key.Quantity;
import io.headgate.config.key.Section;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.control.run.RunningSwitch;
import io.headgate.dataplane.memory.DropReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The present state of a port's link.
 *
 * @param lab empty if the switch does not know its network; link, near and far are then empty, too
 * @param changeable whether it can become late, lose frames or go down while the switch runs
 * @param towardsHere faults of frames that the port receives, in words
 * @param towardsFar faults here of frames that the port sends, in words
 * @param lostHere frames that these faults lost on the way in, since the switch started
 */
public record LinkRow(
        String port,
        boolean up,
        String lab,
        String link,
        String near,
        String far,
        boolean farHost,
        boolean first,
        boolean changeable,
        String towardsHere,
        String towardsFar,
        long lostHere,
        long lostFar) {
    private static final String NOTHING = "as it is";
    private static final Section<DeviceConfig.OneWay> ONE_WAY =
            Section.of(DeviceConfig.OneWay.class);

    /** The links of a switch, a row for each port. */
    public static List<LinkRow> of(RunningSwitch running) {
        List<LinkRow> rows = new ArrayList<>();
        CounterSnapshot counters = running.counters();
        Map<String, LinkEnd> ends = running.linkEnds();
        for (RunningSwitch.Port port : running.ports()) {
            PortConfig config = running.config().ports().get(port.number());
            LinkEnd end = ends.get(port.name());
            DeviceConfig.Faults faults =
                    config.device() instanceof DeviceConfig.Faulty faulty ? faulty.faults() : null;
            rows.add(
                    new LinkRow(
                            port.name(),
                            port.up(),
                            end == null ? "" : end.lab(),
                            end == null ? "" : end.link(),
                            end == null ? "" : end.near(),
                            end == null ? "" : end.far(),
                            end != null && end.isFarHost(),
                            end != null && end.isFirst(),
                            faults != null,
                            words(faults == null ? null : faults.receive(), faults),
                            words(faults == null ? null : faults.transmit(), null),
                            lost(counters, port.name(), true),
                            lost(counters, port.name(), false)));
        }
        return rows;
    }

    /** The end of the link that this row describes. */
    public LinkEnd end() {
        return new LinkEnd(lab, link, near, far, farHost, first);
    }

    private static long lost(CounterSnapshot counters, String port, boolean ingress) {
        return counters.drops().stream()
                .filter(drop ->
                        drop.ingress() == ingress
                                && drop.port().equals(port)
                                && drop.reason().equals(DropReason.FAULT_INJECTED.name()))
                .mapToLong(CounterSnapshot.Drop::frames)
                .sum();
    }

    private static String words(
            DeviceConfig.@Nullable OneWay way, DeviceConfig.@Nullable Faults all) {
        List<String> words = new ArrayList<>();
        if (all != null && all.isPulled()) {
            words.add("down");
        }
        if (all != null && all.upMeanNs() > 0) {
            words.add(
                    "flaps (up %s, down %s)"
                            .formatted(
                                    Quantity.DURATION.format(all.upMeanNs()),
                                    Quantity.DURATION.format(all.downMeanNs())));
        }
        if (way != null) {
            ONE_WAY.write(way)
                    .forEach((key, value) -> {
                        if (!isNothing(value)) {
                            words.add(key + " " + value);
                        }
                    });
        }
        return words.isEmpty() ? NOTHING : String.join(", ", words);
    }

    private static boolean isNothing(Object value) {
        return value instanceof Number number
                ? number.doubleValue() == 0
                : value.toString().matches("0[a-z]*");
    }
}
