package io.headgate.testbed.imports;

import io.headgate.config.key.Text;
import io.headgate.testbed.imports.Imported.Flow;
import io.headgate.testbed.imports.SourceText.Line;
import io.headgate.testbed.traffic.spec.FlowSpec.After;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads schedules in GOAL's text form (Hoefler, Siebert and Lumsdaine, "Group Operation Assembly
 * Language", ICPP 2009; in the dialect of LogGOPSim and ATLAHS): for each rank its sends, receives
 * and computations, and their dependencies. Each send becomes a flow that waits for the flows, and
 * for the computing times after them, that its operation requires.
 */
final class Goal {
    private static final int MOST_OPERATIONS = 1_000_000;
    private static final int MOST_AWAITED = 1000;
    private static final long PS_PER_NS = 1000;
    private static final int START = -1;
    private static final Pattern OPERATION =
            Pattern.compile(
                    "(?:([A-Za-z]\\w{0,63}) *: *)?(?:(send) (\\d{1,15})b to (\\d{1,9})|(recv) (\\d{1,15})b"
                            + " from (-1|\\d{1,9})|(calc) (\\d{1,15}))(?: tag (-1|\\d{1,9}))?((?:"
                            + " (?:cpu|nic) \\d{1,3})*)(?: tag (-1|\\d{1,9}))?");
    private static final Pattern REQUIRES =
            Pattern.compile("([A-Za-z]\\w{0,63}) (requires|irequires) ([A-Za-z]\\w{0,63})");
    private static final String OPERATIONS =
            "l1: send 10b to 1 tag 0, l2: recv 10b from 0 tag 0, l3: calc 500, l2 requires l1, or }";

    private enum Kind {
        SEND,
        RECV,
        CALC
    }

    /** An operation of a rank; {@code size} in bytes, or in ns of a calc. */
    private static final class Operation {
        final int line;
        final Kind kind;
        final long size;
        final int peer;

        /**
         * Operations that must have ended before it begins; {@code begun}: those that must have
         * begun.
         */
        final List<Operation> ended = new ArrayList<>();

        final List<Operation> begun = new ArrayList<>();
        final List<Operation> followers = new ArrayList<>();

        /** The flow of a send; for a recv the flow of the matching send. */
        int flow = START;

        int missing;

        /**
         * The times at which it begins and ends: the latest of flows' ends plus times after these,
         * in ps.
         */
        Map<Integer, Long> begins = Map.of();

        Map<Integer, Long> ends = Map.of();

        Operation(int line, Kind kind, long size, int peer) {
            this.line = line;
            this.kind = kind;
            this.size = size;
            this.peer = peer;
        }
    }

    private record Match(int from, int to, int tag) {}

    private final SourceText text;
    private final List<Operation> all = new ArrayList<>();
    private final List<Operation> sends = new ArrayList<>();
    private final List<Integer> senders = new ArrayList<>();
    private final Map<Match, Deque<Operation>> sent = new HashMap<>();
    private final Map<Match, Deque<Operation>> received = new LinkedHashMap<>();
    private final List<String> notes = new ArrayList<>();
    private Map<String, Operation> labels = new HashMap<>();
    private int ranks;
    private int rank = START;
    private int calcs;
    private int empty;
    private boolean isComment;

    private Goal(SourceText text) {
        this.text = text;
    }

    static Imported flows(SourceText text) {
        return new Goal(text).flows();
    }

    private Imported flows() {
        for (Line line : text.lines()) {
            read(line.number(), String.join(" ", line.words()));
        }
        int last = text.lines().getLast().number();
        if (rank != START || isComment) {
            throw text.wrong(
                    last, "the end of the file", isComment ? "*/ first" : "} of rank " + rank);
        }
        if (sends.isEmpty()) {
            throw text.wrong(last, "no send", "one at least");
        }
        match();
        order();
        List<Flow> flows = new ArrayList<>();
        for (int i = 0; i < sends.size(); i++) {
            Operation send = sends.get(i);
            long startPs = 0;
            List<After> after = new ArrayList<>();
            for (Map.Entry<Integer, Long> term : send.begins.entrySet()) {
                if (term.getKey() == START) {
                    startPs = term.getValue();
                } else {
                    after.add(new After(term.getKey(), term.getValue()));
                }
            }
            flows.add(
                    new Flow(
                            senders.get(i), send.peer, startPs, Math.max(1, send.size), -1, after));
        }
        note();
        return new Imported(null, Htsim.hosts(ranks), flows, notes);
    }

    private void read(int number, String said) {
        String words = uncommented(said);
        if (words.isEmpty()) {
            return;
        }
        if (ranks == 0) {
            if (!words.startsWith("num_ranks ")) {
                throw text.wrong(number, Text.quote(words), "num_ranks N first");
            }
            ranks = text.count(number, words.substring(10), "num_ranks", 2, Imported.MOST_HOSTS);
        } else if (rank == START) {
            Matcher begin = Pattern.compile("rank (\\d{1,9}) ?\\{").matcher(words);
            if (!begin.matches()) {
                throw text.wrong(number, Text.quote(words), "rank N {");
            }
            rank = text.count(number, begin.group(1), "rank", 0, ranks - 1);
            labels = new HashMap<>();
        } else if (words.equals("}")) {
            rank = START;
        } else {
            operation(number, words);
        }
    }

    /** A line without comments, of which one may go over several lines. */
    private String uncommented(String said) {
        StringBuilder words = new StringBuilder();
        String rest = said;
        while (!rest.isEmpty()) {
            int end = isComment ? rest.indexOf("*/") : rest.indexOf("/*");
            int line = isComment ? -1 : rest.indexOf("//");
            if (line >= 0 && (end < 0 || line < end)) {
                words.append(rest, 0, line);
                break;
            }
            if (!isComment) {
                words.append(rest, 0, end < 0 ? rest.length() : end);
            }
            isComment = isComment == (end < 0);
            rest = end < 0 ? "" : rest.substring(end + 2);
        }
        return words.toString().strip();
    }

    private void operation(int number, String words) {
        Matcher requires = REQUIRES.matcher(words);
        if (requires.matches()) {
            Operation later = labelled(number, requires.group(1));
            Operation earlier = labelled(number, requires.group(3));
            (requires.group(2).equals("requires") ? later.ended : later.begun).add(earlier);
            return;
        }
        Matcher of = OPERATION.matcher(words);
        if (!of.matches()) {
            throw text.wrong(number, Text.quote(words), OPERATIONS);
        }
        if (all.size() == MOST_OPERATIONS) {
            throw text.wrong(number, "one operation more", "at most " + MOST_OPERATIONS);
        }
        Operation made = made(number, of);
        all.add(made);
        if (of.group(1) != null && labels.put(of.group(1), made) != null) {
            throw text.wrong(number, "the label " + of.group(1) + " twice", "each once in a rank");
        }
    }

    private Operation made(int number, Matcher of) {
        if (of.group(8) != null) {
            calcs++;
            long ns = text.whole(number, of.group(9), "calc", 0, Imported.LATEST_PS / PS_PER_NS);
            return new Operation(number, Kind.CALC, ns, START);
        }
        boolean isSend = of.group(2) != null;
        String peer = of.group(isSend ? 4 : 7);
        String first = of.group(10) == null ? of.group(12) : of.group(10);
        String tag = first == null ? "0" : first;
        if (peer.equals("-1") || tag.equals("-1")) {
            throw text.wrong(
                    number,
                    "any source or any tag",
                    "one source and tag, because the file does not determine the matching send");
        }
        int other = text.count(number, peer, "rank", 0, ranks - 1);
        if (other == rank) {
            throw text.wrong(number, "rank " + rank + " with itself", "another rank");
        }
        long bytes = text.whole(number, of.group(isSend ? 3 : 6), "size", 0, Imported.MOST_BYTES);
        Operation made = new Operation(number, isSend ? Kind.SEND : Kind.RECV, bytes, other);
        int label = Integer.parseInt(tag);
        if (isSend) {
            if (sends.size() == Imported.MOST_FLOWS) {
                throw text.wrong(number, "one send more", "at most " + Imported.MOST_FLOWS);
            }
            made.flow = sends.size();
            sends.add(made);
            senders.add(rank);
            empty += bytes == 0 ? 1 : 0;
            sent.computeIfAbsent(new Match(rank, other, label), _ -> new ArrayDeque<>()).add(made);
        } else {
            received.computeIfAbsent(new Match(other, rank, label), _ -> new ArrayDeque<>())
                    .add(made);
        }
        return made;
    }

    private Operation labelled(int number, String label) {
        Operation known = labels.get(label);
        if (known == null) {
            throw text.wrong(
                    number,
                    "the unknown label " + label,
                    "labels of earlier operations of the same rank");
        }
        return known;
    }

    /** Receives get the sends of their source and tag in the order of both. */
    private void match() {
        received.forEach((match, receives) -> {
            Deque<Operation> open = sent.getOrDefault(match, new ArrayDeque<>());
            for (Operation receive : receives) {
                Operation send = open.poll();
                if (send == null) {
                    throw text.wrong(
                            receive.line,
                            "a recv that no send of rank " + match.from + " matches",
                            "one for each, with its tag");
                }
                receive.flow = send.flow;
                if (send.size != receive.size) {
                    notes.add(
                            text.name()
                                    + ":"
                                    + receive.line
                                    + ": a recv of "
                                    + receive.size
                                    + " bytes for a send of "
                                    + send.size
                                    + " bytes: the send's hold");
                }
            }
        });
        long left = sent.values().stream().mapToLong(Deque::size).sum();
        if (left > 0) {
            notes.add(text.name() + ": " + left + " sends have no recv; they are sent anyway");
        }
    }

    /** From operations that wait for none to those that wait for them. */
    private void order() {
        Deque<Operation> free = new ArrayDeque<>();
        for (Operation one : all) {
            one.ended.forEach(earlier -> earlier.followers.add(one));
            one.begun.forEach(earlier -> earlier.followers.add(one));
            one.missing = one.ended.size() + one.begun.size();
            if (one.missing == 0) {
                free.add(one);
            }
        }
        int done = 0;
        for (Operation next = free.poll(); next != null; next = free.poll()) {
            done++;
            place(next);
            for (Operation follower : next.followers) {
                if (--follower.missing == 0) {
                    free.add(follower);
                }
            }
        }
        if (done < all.size()) {
            Operation stuck = all.stream().filter(one -> one.missing > 0).findFirst().orElseThrow();
            throw text.wrong(
                    stuck.line, "an operation that requires itself", "requires without a circle");
        }
    }

    private void place(Operation one) {
        Map<Integer, Long> begins = new LinkedHashMap<>();
        one.ended.forEach(earlier -> latest(begins, earlier.ends, 0));
        one.begun.forEach(earlier -> latest(begins, earlier.begins, 0));
        if (begins.isEmpty()) {
            begins.put(START, 0L);
        }
        if (begins.size() > MOST_AWAITED) {
            throw text.wrong(
                    one.line,
                    "an operation that waits for " + begins.size() + " sends",
                    "at most " + MOST_AWAITED);
        }
        one.begins = begins;
        if (one.kind == Kind.SEND) {
            one.ends = Map.of(one.flow, 0L);
            return;
        }
        Map<Integer, Long> ends = new LinkedHashMap<>();
        latest(ends, begins, one.kind == Kind.CALC ? one.size * PS_PER_NS : 0);
        if (one.kind == Kind.RECV) {
            ends.merge(one.flow, 0L, Math::max);
        }
        if (ends.values().stream().anyMatch(ps -> ps > Imported.LATEST_PS)) {
            throw text.wrong(one.line, "times of more than 1000 s", "1000 s in all");
        }
        one.ends = ends;
    }

    private static void latest(Map<Integer, Long> into, Map<Integer, Long> from, long morePs) {
        from.forEach((flow, ps) -> into.merge(flow, ps + morePs, Math::max));
    }

    private void note() {
        notes.add(
                text.name()
                        + ": a send ends when it is acknowledged; overheads and gaps of LogGOPS (o,"
                        + " g, G, O) are not added, the time on the network comes from the"
                        + " simulated network");
        if (calcs > 0) {
            notes.add(
                    text.name()
                            + ": calcs that do not require one another may overlap here, also on"
                            + " one cpu; calcs without a later send are left out");
        }
        if (empty > 0) {
            notes.add(text.name() + ": " + empty + " sends of 0 bytes have 1 byte");
        }
    }
}
