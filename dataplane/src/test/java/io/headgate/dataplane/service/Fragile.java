package io.headgate.dataplane.service;

import io.headgate.config.key.Key;
import io.headgate.config.key.Says;
import io.headgate.dataplane.counter.CounterId;
import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.forwarding.Listening;
import io.headgate.dataplane.frame.Ethernet;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** A service for tests: sends frames back to where they came from, and fails when told to. */
public final class Fragile implements ServiceMechanism<Fragile.Config> {
    public static final int ETHER_TYPE = 0x9000;

    /** The first byte of a frame's payload that makes it fail. */
    public static final byte FATAL = 13;

    /** What it marks answers with. */
    public record Config(
            @Key(min = "0", max = "255", absent = "1") @Says("The first byte of an answer.")
                    int mark) {}

    @Override
    public String name() {
        return "fragile";
    }

    @Override
    public String says() {
        return "Answers.";
    }

    @Override
    public Class<Config> configuration() {
        return Config.class;
    }

    @Override
    public List<Listening> listensTo(Config config) {
        return List.of(Listening.to(ETHER_TYPE));
    }

    @Override
    public List<CounterText> counters() {
        return List.of(new CounterText("heard", "frames", CounterId.Kind.TOTAL, "frames heard"));
    }

    @Override
    public LocalService service(Config config, ServiceSetup setup) {
        return new Answering(config.mark, setup);
    }

    /** At work: it counts all that it has heard, and hands that number on. */
    public static final class Answering implements LocalService {
        private final int mark;
        private final ServiceSetup setup;
        private int heard;

        Answering(int mark, ServiceSetup setup) {
            this.mark = mark;
            this.setup = setup;
        }

        public int heard() {
            return heard;
        }

        @Override
        public void goOnFrom(LocalService before) {
            if (mark == FATAL) {
                throw new IllegalStateException("told not to go on");
            }
            heard = ((Answering) before).heard;
        }

        @Override
        public void heard(long nowNs, int port, MemorySegment segment, long frame, int bytes) {
            long payload = frame + Ethernet.HEADER_BYTES;
            if (segment.get(ValueLayout.JAVA_BYTE, payload) == FATAL) {
                throw new IllegalStateException("told to fail");
            }
            heard++;
            setup.counters().count(0);
            long from = Ethernet.source(segment, frame);
            Ethernet.destination(segment, frame, from);
            Ethernet.source(segment, frame, setup.addresses().mac(port));
            segment.set(ValueLayout.JAVA_BYTE, payload, (byte) mark);
            setup.sender().send(segment, frame, bytes, port);
        }
    }
}
