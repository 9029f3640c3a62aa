package io.headgate.testbed.scenario.shipped;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Santos, Turner and Janakiraman's network as a few events, for comparison with the engine, with
 * which it shares no code: two switches, ten local and ten remote flows and a victim, each with one
 * packet under way; an output sends the oldest packet for it that overtakes no more older ones of
 * its input than a limit. Times in us, rates in parts of a link.
 */
final class IbModel {
    private static final double PACKET = 2.068;
    private static final double HEADER = 0.04;
    private static final double LOCAL_ACK = 0.08;
    private static final double REMOTE_ACK = 0.14;
    private static final double LEAST = 1.0 / 256;
    private static final double APART = 100;
    private static final int EACH = 10;

    /** What is marked; none if neither. */
    enum Scheme {
        NONE,
        NAIVE,
        INPUT,
        OUTPUT
    }

    private record Event(double at, long number, Runnable what) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int byTime = Double.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    private static final class Packet {
        final Source from;
        boolean isMarked;
        boolean isSent;
        double cameAt;
        int input;
        int output;

        Packet(Source from, boolean isMarked) {
            this.from = from;
            this.isMarked = isMarked;
        }
    }

    private static final class Source {
        final Switch to;
        final int input;
        final double ack;
        final boolean isVictim;
        boolean isWaiting;
        double rate = 1;
        double lastAt;
        double nextAt;
        long acked;

        Source(Switch to, int input, double ack, boolean isVictim, double nextAt) {
            this.to = to;
            this.input = input;
            this.ack = ack;
            this.isVictim = isVictim;
            this.nextAt = nextAt;
        }
    }

    private static final class Switch {
        final List<List<Packet>> inputs = new ArrayList<>();
        final int[] taken = new int[EACH + 1];
        final boolean[] isRead = new boolean[EACH + 1];
        final boolean[] isBusy;
        final int[] waiting;
        final int[] toMark;

        Switch(int outputs) {
            isBusy = new boolean[outputs];
            waiting = new int[outputs];
            toMark = new int[outputs];
            for (int input = 0; input <= EACH; input++) {
                inputs.add(new ArrayList<>());
            }
        }
    }

    private final Scheme scheme;
    private final int threshold;
    private final int buffer;
    private final int bypass;
    private final boolean hasVictim;
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final Switch first = new Switch(1);
    private final Switch second = new Switch(2);
    private final List<Source> locals = new ArrayList<>();
    private final List<Source> remotes = new ArrayList<>();
    private final Source victim = new Source(first, EACH, REMOTE_ACK, true, 0);
    private double now;
    private double countedFrom;
    private long number;

    /**
     * @param buffer packets that an input holds
     * @param bypass older packets of its input that one may overtake
     */
    IbModel(Scheme scheme, int threshold, int buffer, int bypass, boolean hasVictim) {
        this.scheme = scheme;
        this.threshold = threshold;
        this.buffer = buffer;
        this.bypass = bypass;
        this.hasVictim = hasVictim;
        for (int i = 0; i < EACH; i++) {
            locals.add(new Source(second, i, LOCAL_ACK, false, i * APART));
            remotes.add(new Source(first, i, REMOTE_ACK, false, (EACH + i) * APART));
        }
    }

    /** Averages are of the last four fifths. */
    IbModel run(double us) {
        countedFrom = us / 5;
        for (Source source : all()) {
            later(source.nextAt, () -> send(source));
        }
        for (Event next = events.poll(); next != null && next.at < us; next = events.poll()) {
            now = next.at;
            next.what.run();
        }
        now = us;
        return this;
    }

    double localPercent() {
        return percent(locals);
    }

    double remotePercent() {
        return percent(remotes);
    }

    double victimPercent() {
        return percent(List.of(victim));
    }

    private double percent(List<Source> sources) {
        long acked = sources.stream().mapToLong(source -> source.acked).sum();
        return 100 * acked * PACKET / (now - countedFrom);
    }

    private List<Source> all() {
        List<Source> all = new ArrayList<>(locals);
        all.addAll(remotes);
        if (hasVictim) {
            all.add(victim);
        }
        return all;
    }

    private void later(double time, Runnable what) {
        events.add(new Event(time, number++, what));
    }

    private void send(Source source) {
        Switch to = source.to;
        if (source.isWaiting || now < source.nextAt || to.taken[source.input] == buffer) {
            return;
        }
        to.taken[source.input]++;
        source.isWaiting = true;
        source.lastAt = now;
        later(now + HEADER, () -> come(to, source.input, new Packet(source, false)));
    }

    private void come(Switch to, int input, Packet packet) {
        packet.cameAt = now;
        packet.input = input;
        packet.output = to == second && packet.from.isVictim ? 1 : 0;
        int output = packet.output;
        to.inputs.get(input).add(packet);
        to.waiting[output]++;
        if (scheme == Scheme.OUTPUT && to.waiting[output] >= threshold) {
            to.toMark[output] = to.waiting[output];
        }
        schedule(to);
        List<Packet> unsent = to.inputs.get(input).stream().filter(each -> !each.isSent).toList();
        if (unsent.size() == buffer) {
            full(to, unsent);
        }
    }

    private void full(Switch to, List<Packet> unsent) {
        for (Packet packet : unsent) {
            switch (scheme) {
                case NONE -> {
                    // It is full, and that is all.
                }
                case NAIVE -> packet.isMarked = true;
                case INPUT, OUTPUT -> to.toMark[packet.output] = to.waiting[packet.output];
            }
        }
    }

    private void schedule(Switch of) {
        for (int output = 0; output < of.isBusy.length; output++) {
            boolean hasCredit = of == second || second.taken[EACH] < buffer;
            Packet oldest = of.isBusy[output] || !hasCredit ? null : oldest(of, output);
            if (oldest != null) {
                start(of, output, oldest);
            }
        }
    }

    private @Nullable Packet oldest(Switch of, int output) {
        Packet oldest = null;
        for (int input = 0; input <= EACH; input++) {
            // An input that is not being read has only packets that wait, the oldest one first.
            List<Packet> all = of.isRead[input] ? List.of() : of.inputs.get(input);
            for (Packet packet : all.subList(0, Math.min(all.size(), bypass + 1))) {
                boolean isFor = packet.output == output;
                if (isFor && (oldest == null || packet.cameAt < oldest.cameAt)) {
                    oldest = packet;
                }
            }
        }
        return oldest;
    }

    private void start(Switch of, int output, Packet packet) {
        packet.isSent = true;
        of.isRead[packet.input] = true;
        of.isBusy[output] = true;
        // The packet that is sent waits no more.
        of.waiting[output]--;
        if (of.toMark[output] > 0) {
            of.toMark[output]--;
            packet.isMarked = true;
        }
        later(now + PACKET, () -> end(of, output, packet));
        if (of == first) {
            second.taken[EACH]++;
            Packet next = new Packet(packet.from, packet.isMarked);
            later(now + HEADER, () -> come(second, EACH, next));
        } else {
            later(now + PACKET + packet.from.ack, () -> acknowledge(packet.from, packet.isMarked));
        }
    }

    private void end(Switch of, int output, Packet packet) {
        of.isBusy[output] = false;
        of.isRead[packet.input] = false;
        of.inputs.get(packet.input).remove(packet);
        of.taken[packet.input]--;
        if (of == first) {
            later(now, () -> send(packet.input == EACH ? victim : remotes.get(packet.input)));
        } else if (packet.input < EACH) {
            later(now, () -> send(locals.get(packet.input)));
        } else {
            schedule(first);
        }
        schedule(of);
    }

    private void acknowledge(Source source, boolean isMarked) {
        source.isWaiting = false;
        source.acked += now > countedFrom ? 1 : 0;
        if (scheme != Scheme.NONE) {
            source.rate =
                    isMarked
                            ? Math.max(source.rate / (1 + source.rate), LEAST)
                            : Math.min(source.rate / (1 - LEAST), 1);
        }
        source.nextAt = source.lastAt + PACKET / source.rate;
        later(Math.max(now, source.nextAt), () -> send(source));
    }
}
