package io.headgate.dataplane.icc;

import static io.headgate.config.key.Quantity.DURATION;

import io.headgate.config.TrafficConfig;
import io.headgate.config.key.Allowed;
import io.headgate.config.key.Items;
import io.headgate.config.key.Key;
import io.headgate.config.key.Known;
import io.headgate.config.key.Named;
import io.headgate.config.key.Otherwise;
import io.headgate.config.key.Says;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Configuration of ICC's congestion judgement at a port; see {@link PortJudgement}. Default values
 * are those of section 4.2 of the paper, if it has any.
 *
 * @param sampleNs time from qlenrate1 to qlenrate2
 */
@Named(
        says =
                "Writes the queue length, queue growth and load of an egress port into RoCEv2"
                        + " acknowledgements that pass in the opposite direction (ICC, Wang et al.,"
                        + " 2023). Hosts obey it with control: icc.")
public record IccConfig(
        @Key(quantity = DURATION, min = "1us", max = "1s", absent = "5us")
                @Says("Time between the first and the second sample of the queue's rate.")
                long sampleNs,
        @Key(quantity = DURATION, min = "1us", max = "1s", absent = "15us")
                @Says(
                        "Interval of the reports to senders about the port's congestion; the link's"
                                + " load is measured over this time.")
                long timerNs,
        @Key(min = "0", max = "1", absent = "0.7")
                @Says("A port with a growing queue is congested above this load (lu in the paper).")
                double load,
        @Key(quantity = DURATION, min = "1us", max = "10s", absent = "50us")
                @Says(
                        "The number of flows that share the link counts the flows with a frame in"
                                + " the current or the previous window of this length (n in the"
                                + " paper, which does not say how it is counted).")
                long flowAgeNs,
        @Key(min = "0", max = "7")
                @Says("The priorities whose queues are watched, as one queue.")
                @Allowed("a list of different priorities from 0 to 7, such as [3, 4]")
                @Otherwise("all")
                @Items(min = 1, max = 8, unique = true, each = "a priority from 0 to 7, such as 3")
                List<Integer> priorities) {

    public IccConfig {
        priorities = List.copyOf(priorities);
    }

    static List<Integer> priorities(Known known) {
        return IntStream.range(0, TrafficConfig.PRIORITIES).boxed().toList();
    }

    int queues() {
        return priorities.stream().mapToInt(priority -> 1 << priority).sum();
    }
}
