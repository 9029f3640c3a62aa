package io.headgate.testbed.lab.control;

import io.headgate.testbed.scenario.Series;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * How queue and senders were over time.
 *
 * @param seconds from when the senders together first filled a tenth of the line
 * @param queueKb length of the queue at each time
 * @param senderMbps of each sending host, on the wire, over the last tenth of a second
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record History(double[] seconds, double[] queueKb, List<double[]> senderMbps) {
    /** Samples over which rates are taken. */
    public static final int RATE_OF = 10;

    /** Less is an error of rounding. */
    private static final double SENDS_MBPS = 1e-3;

    private static final double BEGUN_SHARE = 0.1;

    /**
     * Of what was seen on real frames.
     *
     * @param queue in kB
     * @param senders each one's rate in Mb/s, at the same times
     */
    public static History of(Series queue, List<Series> senders, double lineMbps) {
        double beginUs = Double.MAX_VALUE;
        for (int i = queue.values().length - 1; i >= 0; i--) {
            int sample = i;
            if (senders.stream().mapToDouble(one -> one.values()[sample]).sum()
                    >= BEGUN_SHARE * lineMbps) {
                beginUs = queue.timesUs()[i];
            }
        }
        double originUs = beginUs;
        return new History(
                Arrays.stream(queue.timesUs()).map(us -> (us - originUs) / 1e6).toArray(),
                queue.values(),
                senders.stream().map(Series::values).toList());
    }

    /** The mean of values between two times; NaN without values there. */
    public double mean(double[] values, double fromSeconds, double toSeconds) {
        double sum = 0;
        int count = 0;
        for (int i = 0; i < values.length; i++) {
            if (seconds[i] >= fromSeconds && seconds[i] < toSeconds) {
                sum += values[i];
                count++;
            }
        }
        return count == 0 ? Double.NaN : sum / count;
    }

    /** When a host first sent, less the time over which rates are taken. */
    public double first(int host) {
        double[] mbps = senderMbps.get(host);
        for (int i = 0; i < mbps.length; i++) {
            if (mbps[i] > SENDS_MBPS && seconds[i] >= 0) {
                return seconds[i];
            }
        }
        return 0;
    }

    /** When it last sent for as long as rates are taken over. */
    public double last(int host) {
        double[] mbps = senderMbps.get(host);
        for (int i = mbps.length - 1; i >= RATE_OF; i--) {
            if (mbps[i] > SENDS_MBPS) {
                return seconds[i - RATE_OF];
            }
        }
        return 0;
    }

    /** As a table of numbers, with a heading, separated by commas. */
    public String toCsv() {
        StringBuilder text = new StringBuilder("seconds,queue_kb");
        for (int sender = 1; sender <= senderMbps.size(); sender++) {
            text.append(",h").append(sender).append("_mbps");
        }
        text.append('\n');
        for (int i = 0; i < seconds.length; i++) {
            text.append(String.format(Locale.ROOT, "%.3f,%.3f", seconds[i], queueKb[i]));
            for (double[] sender : senderMbps) {
                text.append(String.format(Locale.ROOT, ",%.3f", sender[i]));
            }
            text.append('\n');
        }
        return text.toString();
    }
}
