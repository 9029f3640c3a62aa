package example;

import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.linkcontrol.LinkMechanism;
import io.headgate.dataplane.linkcontrol.LinkProtocol;
import io.headgate.dataplane.linkcontrol.LinkSetup;
import io.headgate.dataplane.memory.sync.PublishedWords;
import java.util.List;

/** Rates the far end's priorities by what they hold here, instead of pausing them. */
public final class SlowDown implements LinkMechanism<SlowDownConfig> {
    /** Words between the two ends: stages to ask for, and stages that the far end asks for. */
    static final int WANTED = 0;

    static final int ASKED = 1;

    @Override
    public List<CounterText> senderCounters() {
        return List.of(CounterText.total("asked", "frames", "times that a rate was asked for"));
    }

    @Override
    public LinkProtocol protocol(SlowDownConfig configuration, LinkSetup setup) {
        PublishedWords words = new PublishedWords(2);
        return LinkProtocol.of(
                new SlowDownReceiver(words, configuration),
                new SlowDownSender(words, setup.rateBps()));
    }
}
