package io.headgate.dataplane.gfc;

import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.linkcontrol.LinkMechanism;
import io.headgate.dataplane.linkcontrol.LinkProtocol;
import io.headgate.dataplane.linkcontrol.LinkSetup;
import java.util.List;

/**
 * Gentle flow control (GFC) at a port, for its lossless priorities, or for all if none is lossless.
 * In the paper it replaces pauses. Here pauses may be used in addition, for frames that come after
 * B<sub>m</sub> is reached: even the minimum rate fills a buffer that no frame leaves.
 */
public final class Gfc implements LinkMechanism<GfcConfig> {
    private static final int ALL = (1 << TrafficConfig.PRIORITIES) - 1;

    @Override
    public List<CounterText> receiverCounters() {
        return List.of(
                CounterText.total(
                        "received", "frames", "requests for rates that the far end sent"));
    }

    @Override
    public List<CounterText> senderCounters() {
        return List.of(
                CounterText.total(
                        "asked", "frames", "requests for rates that were sent to the far end"),
                CounterText.total(
                        "lapsed",
                        "times",
                        "times that rates expired because the far end did not repeat them"));
    }

    @Override
    public LinkProtocol protocol(GfcConfig configuration, LinkSetup setup) {
        int rated = setup.lossless() == 0 ? ALL : setup.lossless();
        GfcWords words = new GfcWords();
        GfcReceiver receiver = new GfcReceiver(configuration, rated, setup.rateBps(), words);
        return LinkProtocol.of(receiver, new GfcSender(configuration, words));
    }
}
