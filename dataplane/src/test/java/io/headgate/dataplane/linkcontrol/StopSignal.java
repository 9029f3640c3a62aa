package io.headgate.dataplane.linkcontrol;

import io.headgate.config.PortConfig;
import io.headgate.config.key.Key;
import io.headgate.config.key.Says;
import io.headgate.dataplane.frame.EtherType;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.frame.MacAddress;
import io.headgate.dataplane.frame.MacControl;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.memory.sync.PublishedWords;
import io.headgate.dataplane.policy.QueueFields;
import java.lang.foreign.MemorySegment;

/**
 * A link protocol as a researcher's own: the far end stops one priority for as long as it likes.
 * This end says whether it is there when the link changes.
 */
public final class StopSignal implements LinkMechanism<StopSignal.Configuration> {
    /** A MAC control opcode of no known protocol. */
    public static final int OPCODE = 0x0102;

    /**
     * What it stops.
     *
     * @param priority 0 to 7
     */
    public record Configuration(
            @Key(min = "0", max = "7", absent = "3") @Says("The priority that is stopped.")
                    int priority) {}

    @Override
    public String name() {
        return "stop-signal";
    }

    @Override
    public String says() {
        return "The far end stops one priority for as long as it likes.";
    }

    @Override
    public Class<Configuration> configuration() {
        return Configuration.class;
    }

    @Override
    public LinkProtocol protocol(Configuration configuration, LinkSetup setup) {
        PublishedWords words = new PublishedWords(2);
        return new LinkProtocol() {
            @Override
            public LinkReceiver receiver() {
                return new Receiver(words);
            }

            @Override
            public LinkSender sender() {
                return new Sender(words, configuration.priority());
            }
        };
    }

    /** A frame that stops (1) or lets go (0). */
    public static byte[] frame(int signal) {
        byte[] frame = new byte[MacControl.FRAME_BYTES];
        write(MemorySegment.ofArray(frame), 0, 0x0200_0000_0009L, signal);
        return frame;
    }

    private static void write(MemorySegment segment, long frame, long source, int signal) {
        MacControl.writePause(segment, frame, source, signal);
        Wire.put16(segment, frame + MacControl.OPCODE_OFFSET, OPCODE);
    }

    private static final class Receiver implements LinkReceiver {
        private final PublishedWords words;

        Receiver(PublishedWords words) {
            this.words = words;
        }

        @Override
        public int etherType() {
            return EtherType.MAC_CONTROL;
        }

        @Override
        public boolean takes(int opcode) {
            return opcode == OPCODE;
        }

        @Override
        public boolean receive(long receivedNs, MemorySegment segment, long frame, int bytes) {
            words.storeOpaque(0, MacControl.pauseQuanta(segment, frame));
            words.storeOpaque(1, receivedNs);
            words.storeVersionRelease();
            return true;
        }

        @Override
        public boolean publish(long nowNs, AccountsView accounts) {
            return false;
        }

        @Override
        public boolean awaitsReturns(AccountsView accounts) {
            return false;
        }

        @Override
        public void linkChanged() {
            words.storeOpaque(0, 0);
            words.storeVersionRelease();
        }

        @Override
        public long ignored() {
            return 0;
        }

        @Override
        public long mismatches() {
            return 0;
        }
    }

    private static final class Sender implements LinkSender {
        private final PublishedWords words;
        private int priority;
        private final StopTimes stops = new StopTimes();
        private int seen;
        private boolean greets = true;

        Sender(PublishedWords words, int priority) {
            this.words = words;
            this.priority = priority;
        }

        @Override
        public void look(long nowNs, QueueFields queues) {
            int version = words.loadVersionAcquire();
            if (version != seen) {
                seen = version;
                if (words.loadOpaque(0) == 0) {
                    stops.end(priority, words.loadOpaque(1));
                } else {
                    stops.begin(priority, words.loadOpaque(1));
                }
            }
        }

        @Override
        public int eligible() {
            return ~stops.stopped();
        }

        @Override
        public StopTimes stops() {
            return stops;
        }

        @Override
        public long dataDeadlineNs() {
            return Long.MAX_VALUE;
        }

        @Override
        public boolean isDue(long nowNs) {
            return greets;
        }

        @Override
        public long deadlineNs() {
            return greets ? Long.MIN_VALUE / 2 : Long.MAX_VALUE;
        }

        @Override
        public int write(long presentNs, MemorySegment segment, long frame, long source) {
            greets = false;
            StopSignal.write(segment, frame, source, 0);
            Ethernet.destination(segment, frame, MacAddress.MAC_CONTROL);
            return MacControl.FRAME_BYTES;
        }

        @Override
        public void linkChanged() {
            greets = true;
        }

        /** Whom it stops now, it lets go. */
        @Override
        public void change(PortConfig port) {
            Configuration next = port.mechanisms().get(Configuration.class);
            if (next != null && next.priority() != priority) {
                stops.end(priority, words.loadOpaque(1));
                priority = next.priority();
            }
        }
    }
}
