package io.headgate.testbed.virtual;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.flowcontrol.Classifier;
import io.headgate.hostagent.card.CardSetup;
import io.headgate.hostagent.card.HostCard;
import io.headgate.hostagent.rate.HostNotices;
import io.headgate.testbed.traffic.Traffic;
import io.headgate.testbed.traffic.TrafficDevice;
import io.headgate.testbed.traffic.frame.HostAddress;

/** Connects traffic to a run: attaches a traffic device to the card of each host. */
public final class VirtualTraffic {
    private static final int MIN_SLOTS_PER_PRIORITY = 2;

    private VirtualTraffic() {}

    /**
     * The traffic of a run that has not started: with its seed, its clock and its links' format.
     */
    public static Traffic of(VirtualRun run, Traffic.Options options) {
        Traffic traffic =
                new Traffic(
                        run.seed(), run.clock()::ps, run::apartPs, run.options().wire(), options);
        run.atRest(traffic::handOver);
        return traffic;
    }

    /**
     * Adds a host of a run, and attaches its device to its network card. Each priority may take an
     * eighth of the card's slots, at least two: enough to keep the wire busy.
     */
    public static TrafficDevice addHost(Traffic traffic, HostNode node, HostAddress address) {
        TrafficDevice device = traffic.addHost(address);
        CardSetup card = node.engine().setup();
        int share = card.slots().app() / TrafficConfig.PRIORITIES;
        device.shareSlots(
                node.engine().ingress(HostCard.APP).accounts(),
                Math.max(MIN_SLOTS_PER_PRIORITY, share),
                new Classifier(card.wire().traffic()));
        device.lineRateBps(card.rateBps());
        HostCard engine = node.engine();
        device.notices(() ->
                engine.takeNotices(
                        new HostNotices(device.notified(), engine.noticeCounters(), true)));
        // Two more: the one on the wire, and one whose time is the next nanosecond's.
        long frames = card.slots().app() + 2L;
        device.bound(card.rateBps(), frames, ConfigDefaults.maxFrameBytes(card.mtuBytes()));
        device.ring(node.appDoorbell());
        node.attachTraffic(device);
        return device;
    }
}
