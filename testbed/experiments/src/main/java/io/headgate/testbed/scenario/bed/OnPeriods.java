package io.headgate.testbed.scenario.bed;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.FlowControlConfig;
import io.headgate.dataplane.frame.MacControl;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.hostagent.card.HostCard;
import io.headgate.testbed.scenario.Series;
import io.headgate.testbed.scenario.bed.Recording.Kind;
import io.headgate.testbed.scenario.bed.watch.OffPeriods;
import io.headgate.testbed.topology.LinkPlan;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.virtual.VirtualNetwork;
import io.headgate.testbed.virtual.link.LinkObserver;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The lengths of ON periods of hosts and ports between two pauses (IEEE 802.1Qbb). A period lasts
 * from the arrival of the frame that ends a pause, or from the end of its time, to the arrival of
 * the next pause frame. It is Ton of TCD's model (Zhang et al., SIGCOMM 2021, section 4.1). The
 * times before the first pause of a host or port and after its last one do not count.
 */
final class OnPeriods implements LinkObserver {
    private static final MemorySegment MEMORY = FrameRegion.MEMORY;
    private static final double PS_PER_US = 1e6;

    private final List<Place> places = new ArrayList<>();

    // By direction: the place where frames arrive; null where none is asked for.
    private final @Nullable Place[] arriving;

    /** A host or a port, and the pauses that it receives. */
    private static final class Place {
        private final String name;
        private final long quantumPs;
        private final long[] pausedUntilPs = new long[PRIORITIES];
        private final List<double[]> periods = new ArrayList<>();

        Place(String name, long quantumPs) {
            this.name = name;
            this.quantumPs = quantumPs;
            Arrays.fill(pausedUntilPs, OffPeriods.LONG_AGO_PS);
        }

        void hears(int priority, long nowPs, int quanta) {
            long untilPs = pausedUntilPs[priority];
            if (quanta == 0) {
                pausedUntilPs[priority] = Math.min(untilPs, nowPs);
                return;
            }
            if (untilPs < nowPs && untilPs != OffPeriods.LONG_AGO_PS) {
                periods.add(new double[] {nowPs / PS_PER_US, (nowPs - untilPs) / PS_PER_US});
            }
            pausedUntilPs[priority] = nowPs + quanta * quantumPs;
        }
    }

    /**
     * @param names hosts, and ports as in {@code s1/p4}
     * @throws IllegalArgumentException if one has no PFC
     */
    OnPeriods(VirtualNetwork network, List<String> names) {
        NetworkPlan plan = network.plan();
        arriving = new Place[2 * plan.links().size()];
        for (LinkPlan link : plan.links()) {
            for (LinkPlan.End end : List.of(link.a(), link.b())) {
                String name = plan.place(end).replace(':', '/');
                if (names.contains(name)) {
                    require(name, network, end);
                    Place place = new Place(name, ConfigDefaults.quantumPs(link.spec().rateBps()));
                    places.add(place);
                    // Directions are numbered by the end that sends.
                    arriving[2 * link.number() + (end.equals(link.a()) ? 1 : 0)] = place;
                }
            }
        }
    }

    private static void require(String name, VirtualNetwork network, LinkPlan.End end) {
        FlowControlConfig flowControl;
        if (end.isHost()) {
            HostCard card = network.host(end.node()).engine();
            flowControl = card.setup().wire().flowControl();
        } else {
            var ports = network.switchNode(end.node()).engine().config().ports();
            flowControl = ports.get(end.port()).flowControl();
        }
        if (flowControl.mode() != FlowControlConfig.Mode.PFC) {
            throw new IllegalArgumentException(
                    name + " has no PFC: only ports with PFC have periods between pauses");
        }
    }

    @Override
    public void transmitted(
            int direction,
            long startPs,
            long arrivePs,
            int lengthBytes,
            long address,
            int storedBytes) {
        Place place = arriving[direction];
        if (place == null || arrivePs == LOST || !MacControl.isPfc(MEMORY, address, storedBytes)) {
            return;
        }
        int enabled = MacControl.enabled(MEMORY, address);
        for (int priority = 0; priority < PRIORITIES; priority++) {
            if ((enabled >>> priority & 1) != 0) {
                place.hears(priority, arrivePs, MacControl.quanta(MEMORY, address, priority));
            }
        }
    }

    /** The lengths of all periods of each place, in us, at the times of their ends. */
    List<Series> series() {
        return places.stream()
                .map(place -> Series.of(Kind.ON.series(place.name), "us", place.periods))
                .toList();
    }
}
