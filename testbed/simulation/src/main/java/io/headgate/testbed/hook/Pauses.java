package io.headgate.testbed.hook;

import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.frame.MacControl;
import io.headgate.dataplane.frame.Wire;
import io.headgate.dataplane.linkcontrol.LinkMechanism;
import io.headgate.dataplane.linkcontrol.LinkProtocol;
import io.headgate.dataplane.linkcontrol.LinkSender;
import io.headgate.dataplane.linkcontrol.LinkSetup;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Sends pause frames at given times (IEEE 802.3 Annexes 31B and 31D), ahead of all data, even while
 * the port is paused. A test can give them field values that a correct sender would not use.
 */
public final class Pauses implements LinkMechanism<PausesConfig> {
    @Override
    public List<CounterText> senderCounters() {
        return List.of(CounterText.total("sent", "frames", "pauses that were generated"));
    }

    @Override
    public LinkProtocol protocol(PausesConfig configuration, LinkSetup setup) {
        return LinkProtocol.of(Nothing.RECEIVED, new Sender(configuration.trains()));
    }

    /** Of several trains that are due the first in their order goes first. */
    private static final class Sender implements LinkSender {
        private final PausesConfig.Train[] trains;
        private final long[] nextNs;
        private final int[] left;
        private long dueNs;
        private long sent;

        Sender(List<PausesConfig.Train> trains) {
            this.trains = trains.toArray(PausesConfig.Train[]::new);
            nextNs = trains.stream().mapToLong(PausesConfig.Train::startNs).toArray();
            left = trains.stream().mapToInt(PausesConfig.Train::times).toArray();
            findDue();
        }

        private void findDue() {
            dueNs = Long.MAX_VALUE;
            for (int i = 0; i < trains.length; i++) {
                if (left[i] > 0 && nextNs[i] < trains[i].stopNs()) {
                    dueNs = Math.min(dueNs, nextNs[i]);
                }
            }
        }

        @Override
        public boolean isDue(long nowNs) {
            return dueNs <= nowNs;
        }

        @Override
        public long deadlineNs() {
            return dueNs;
        }

        @Override
        public int write(long presentNs, MemorySegment segment, long frame, long source) {
            int i = 0;
            while (left[i] == 0 || nextNs[i] != dueNs || nextNs[i] >= trains[i].stopNs()) {
                i++;
            }
            PausesConfig.Train train = trains[i];
            left[i]--;
            // What came too late for its time is not made up for: the next one is on time.
            long late = Math.max(0, presentNs - nextNs[i]) / train.everyNs();
            nextNs[i] += (late + 1) * train.everyNs();
            findDue();
            sent++;
            long from = train.source() < 0 ? source : train.source();
            if (train.kind() == PausesConfig.Kind.PAUSE) {
                MacControl.writePause(segment, frame, from, train.quanta());
                return MacControl.FRAME_BYTES;
            }
            MacControl.writePfc(segment, frame, from, 0, 0);
            Wire.put16(segment, frame + MacControl.ENABLED_OFFSET, train.vector());
            for (int priority = 0; priority < TrafficConfig.PRIORITIES; priority++) {
                if (train.priorities().contains(priority)) {
                    MacControl.quanta(segment, frame, priority, train.quanta());
                }
            }
            return MacControl.FRAME_BYTES;
        }

        @Override
        public long counted(int counter) {
            return sent;
        }
    }
}
