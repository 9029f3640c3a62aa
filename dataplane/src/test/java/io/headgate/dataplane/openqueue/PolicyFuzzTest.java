package io.headgate.dataplane.openqueue;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.openqueue.language.Policy;
import io.headgate.dataplane.openqueue.language.PolicyException;
import io.headgate.dataplane.openqueue.language.Source;
import io.headgate.dataplane.queue.Gate;
import io.headgate.dataplane.queue.Pacer;
import io.headgate.dataplane.queue.Queues;
import io.headgate.dataplane.queue.WireFormat;
import io.headgate.dataplane.random.NamedRandom;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Mutated programs: each is a policy that works, or a sentence. */
final class PolicyFuzzTest {
    private static final long SEED = Long.getLong("headgate.seed", 20_261_123L);
    private static final int FRAMES = 64;
    private static final int MOST_MUTATIONS = 4;
    private static final List<String> WORDS =
            List.of(
                    "(",
                    ")",
                    "{",
                    "}",
                    ";",
                    ",",
                    ".",
                    "=",
                    ":=",
                    "<",
                    ">=",
                    "!=",
                    "!",
                    "&&",
                    "||",
                    "+",
                    "-",
                    "*",
                    "/",
                    "%",
                    "0",
                    "1",
                    "1.5",
                    "999999999999999",
                    "\"",
                    "//",
                    "\n",
                    "q1",
                    "q2",
                    "p1",
                    "p2",
                    "out",
                    "b",
                    "Queue",
                    "Buffer",
                    "Port",
                    "Packet",
                    "drop",
                    "mark",
                    "notify",
                    "modify",
                    "inline",
                    "true",
                    "false",
                    "size",
                    "currSize",
                    "value",
                    "arrival",
                    "schedState",
                    "getHOL()",
                    "buffer",
                    "fifo",
                    "tailDrop",
                    "procPrio",
                    "congestion",
                    "import",
                    "…",
                    "\u0000",
                    "ü");

    private final Random random = new Random(SEED);
    private final PacketMaker maker = new PacketMaker(FRAMES);
    private final List<Frame> frames = new ArrayList<>();
    private int worked;
    private int refused;
    private int fabrics;

    private List<Source> seeds() throws IOException {
        List<Source> sources = new ArrayList<>();
        for (Path file : Policies.files(Policies.FOLDER)) {
            sources.add(Policies.source(file));
        }
        for (Path file : Policies.files(Policies.FOLDER.resolve("listings"))) {
            sources.add(Policies.source(file));
        }
        return sources;
    }

    @Test
    void mutatedProgramsAreRefusedOrWork() throws IOException {
        fuzz(3_000);
        // Both happens, or nothing was tried.
        assertThat(worked).isGreaterThan(200);
        assertThat(fabrics).isPositive();
        assertThat(refused).isGreaterThan(1_000);
    }

    @Test
    @Tag("long")
    void aMillionMutatedProgramsAreRefusedOrWork() throws IOException {
        fuzz(1_000_000);
    }

    private void fuzz(int count) throws IOException {
        for (int i = 0; i < FRAMES; i++) {
            frames.add(maker.frame(random));
        }
        List<Source> seeds = seeds();
        for (int i = 0; i < count; i++) {
            Source seed = seeds.get(random.nextInt(seeds.size()));
            Source mutated = new Source(seed.name(), mutated(seed.text()));
            try {
                tryOut(mutated);
            } catch (RuntimeException | Error e) {
                throw new AssertionError("program " + i + ":\n" + mutated.text(), e);
            }
        }
    }

    private String mutated(String text) {
        StringBuilder mutated = new StringBuilder(text);
        for (int left = 1 + random.nextInt(MOST_MUTATIONS); left > 0; left--) {
            int at = random.nextInt(mutated.length() + 1);
            int end = Math.min(mutated.length(), at + 1 + random.nextInt(12));
            switch (random.nextInt(4)) {
                case 0 -> mutated.delete(at, end);
                case 1 -> mutated.insert(at, WORDS.get(random.nextInt(WORDS.size())));
                case 2 -> mutated.insert(at, mutated.substring(at, end).repeat(1 + left * left));
                default -> {
                    int word = at;
                    while (word < mutated.length()
                            && Character.isLetterOrDigit(mutated.charAt(word))) {
                        word++;
                    }
                    mutated.replace(at, word, WORDS.get(random.nextInt(WORDS.size())));
                }
            }
        }
        return mutated.toString();
    }

    private void tryOut(Source source) {
        Policy policy;
        try {
            policy = Policy.of(source, Policies.LIBRARY);
        } catch (PolicyException e) {
            assertThat(e.sentence()).isNotBlank();
            assertThat(String.valueOf(e.getMessage()).lines().count()).isEqualTo(3);
            refused++;
            return;
        }
        if (policy.ports().size() > 1) {
            tryOutFabric(policy);
            return;
        }
        if (!policy.notices().isEmpty()) {
            refused++;
            return;
        }
        boolean selects = policy.ports().getFirst().selection() != null;
        Binding binding = Binding.standard(policy.queues().size(), selects);
        Queues queues =
                new CompiledPolicy(PolicyPlan.of(policy, binding))
                        .queues(NamedRandom.of(SEED, "p1", "policy"));
        run(queues);
        worked++;
    }

    private void tryOutFabric(Policy policy) {
        FabricLayout layout;
        Binding binding = Binding.standard(1, false);
        try {
            layout = FabricLayout.of(policy);
            layout.plan(binding);
        } catch (IllegalArgumentException e) {
            assertThat(e.getMessage()).isNotBlank();
            refused++;
            return;
        }
        int ports = layout.switchPorts();
        Fabric fabric;
        try {
            fabric = new Fabric(policy, binding, SEED, FabricTest.setup(ports));
        } catch (IllegalArgumentException e) {
            // A rate that no line has.
            assertThat(e.getMessage()).isNotBlank();
            refused++;
            return;
        }
        run(fabric, ports);
        fabrics++;
    }

    private void run(Fabric fabric, int ports) {
        List<Queues> egresses = new ArrayList<>();
        for (int port = 0; port < ports; port++) {
            egresses.add(fabric.queues(port, FabricTest.setup(ports).ports().get(port), null));
        }
        Pacer pacer = new Pacer(400_000_000_000L, 0, WireFormat.ETHERNET);
        Frame[] started = new Frame[1];
        int in = 0;
        int out = 0;
        for (Frame frame : frames) {
            int nowNs = ++in * 1_000;
            fabric.begin(nowNs);
            Queues queues = egresses.get(in % ports);
            frame.ingressPort = in * 7 % ports;
            for (Frame lost = queues.enqueue(frame); lost != null; lost = queues.alsoLost()) {
                out++;
            }
            if (in % 3 == 0) {
                pacer.resume(nowNs, nowNs);
                out += queues.dequeue(nowNs, pacer, started, 0, Gate.OPEN);
            }
            assertThat(egresses.stream().mapToInt(Queues::frames).sum()).isEqualTo(in - out);
        }
        for (Queues queues : egresses) {
            while (queues.drain() != null) {
                out++;
            }
            assertThat(queues.bytes()).isZero();
        }
        assertThat(out).isEqualTo(in);
    }

    private void run(Queues queues) {
        Pacer pacer = new Pacer(400_000_000_000L, 0, WireFormat.ETHERNET);
        Frame[] started = new Frame[1];
        int in = 0;
        int out = 0;
        for (Frame frame : frames) {
            frame.arrival = ++in;
            queues.arriving(in);
            for (Frame lost = queues.enqueue(frame); lost != null; lost = queues.alsoLost()) {
                out++;
            }
            if (in % 3 == 0) {
                pacer.resume(in * 1_000L, in * 1_000L);
                out += queues.dequeue(in * 1_000L, pacer, started, 0, Gate.OPEN);
            }
            assertThat(queues.frames()).isEqualTo(in - out);
        }
        while (queues.drain() != null) {
            out++;
        }
        assertThat(out).isEqualTo(in);
        assertThat(queues.bytes()).isZero();
    }
}
