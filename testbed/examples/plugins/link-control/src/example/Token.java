package example;

import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.linkcontrol.LinkMechanism;
import io.headgate.dataplane.linkcontrol.LinkProtocol;
import io.headgate.dataplane.linkcontrol.LinkRelay;
import io.headgate.dataplane.linkcontrol.LinkSetup;
import java.util.List;

/** Tokens that a switch forwards, once, to the far end of another link. */
public final class Token implements LinkMechanism<TokenConfig> {
    @Override
    public List<CounterText> receiverCounters() {
        return List.of(
                CounterText.total("ended", "frames", "tokens that go no further"),
                CounterText.total("relayed", "frames", "tokens for another port"));
    }

    @Override
    public List<CounterText> senderCounters() {
        return List.of(CounterText.total("forwarded", "frames", "tokens of other ports"));
    }

    @Override
    public int relayed(TokenConfig configuration) {
        return 16;
    }

    @Override
    public LinkProtocol protocol(TokenConfig configuration, LinkSetup setup) {
        LinkRelay relay = setup.relay();
        return LinkProtocol.of(
                new TokenReceiver(relay, configuration.to()),
                new TokenSender(relay, configuration.everyNs()));
    }
}
