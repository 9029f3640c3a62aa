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
                "Writes what an egress port knows of its queue and load into RoCEv2's"
                        + " acknowledgements that pass the other way (ICC, Wang et al., 2023). Hosts follow"
                        + " it with control: icc.")
public record IccConfig(
        @Key(quantity = DURATION, min = "1us", max = "1s", absent = "5us")
                @Says("From the first sample of the queue's rate to the second.")
                long sampleNs,
        @Key(quantity = DURATION, min = "1us", max = "1s", absent = "15us")
                @Says(
                        "The time from one report to senders, of whether the port is congested, to the next; the"
                                + " link's load is that of this time.")
                long timerNs,
        @Key(min = "0", max = "1", absent = "0.7")
                @Says("Above this load a port whose queue grows is congested (lu in the paper).")
                double load,
        @Key(quantity = DURATION, min = "1us", max = "10s", absent = "50us")
                @Says(
                        "Flows of which a frame came in the last window of this length, or the one"
                                + " before, are those that share the link (n in the paper, which"
                                + " does not say who counts them).")
                long flowAgeNs,
        @Key(min = "0", max = "7")
                @Says("The priorities whose queues are watched, together.")
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
