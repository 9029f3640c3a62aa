package io.headgate.dataplane.openqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.headgate.dataplane.openqueue.language.Policy;
import io.headgate.dataplane.openqueue.language.PolicyException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the language accepts, and what it says of the rest. */
final class PolicyLanguageTest {
    private static final String QUEUE =
            "import \"standard.oq\"\nq1 = Queue(1000);\nq1.procPrio = fifo;\nout = Port(q1);\n";

    static Stream<Path> shipped() throws IOException {
        return Stream.concat(
                Policies.files(Policies.FOLDER).stream(),
                Policies.files(Policies.FOLDER.resolve("listings")).stream());
    }

    @ParameterizedTest
    @MethodSource("shipped")
    void shippedFilesAreAccepted(Path file) throws PolicyException {
        assertThat(Policy.of(Policies.source(file), Policies.LIBRARY)).isNotNull();
    }

    @Test
    void everyListingOfTheChapterIsShipped() throws IOException {
        assertThat(Policies.files(Policies.FOLDER.resolve("listings")))
                .extracting(file -> file.getFileName().toString())
                .containsExactlyInAnyOrder(
                        "figure-2.4.oq",
                        "figure-2.5.oq",
                        "figure-2.6.oq",
                        "figure-2.7.oq",
                        "figure-2.8.oq",
                        "figure-2.9.oq",
                        "figure-2.10.oq",
                        "figure-2.11.oq",
                        "figure-2.13.oq",
                        "figure-2.18.oq");
    }

    @ParameterizedTest
    @ValueSource(strings = {"figure-2.11.oq", "figure-2.13.oq"})
    void fabricsAreRefusedByAPortInASentence(String name) throws PolicyException {
        Path file = Policies.FOLDER.resolve("listings").resolve(name);
        Policy policy = Policy.of(Policies.source(file), Policies.LIBRARY);
        Binding binding = Binding.standard(policy.queues().size(), false);
        assertThatThrownBy(() -> PolicyPlan.of(policy, binding))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a switch runs it (domain: {fabric: …})");
    }

    @Test
    void errorShowsLineColumnTheLineItselfAndWhatWasExpected() {
        String text = QUEUE + "lqf2(q1, q2) = (q1.curSize > q2.currSize);\n";
        PolicyException error =
                catchThrowableOfType(PolicyException.class, () -> Policies.of(text));
        assertThat(error.line()).isEqualTo(5);
        assertThat(error.column()).isEqualTo(17);
        assertThat(error)
                .hasMessageEndingWith(
                        "test.oq:5:17: expected a field of a packet (policyId, queue, value,"
                                + " processing, slack, flow, arrival, size, TOS, tot_len, id, ttl,"
                                + " protocol, saddr, daddr) or a field of a queue (size, currSize,"
                                + " weightAdm, weightSched, admState, schedState, dropped, total), found"
                                + " \"curSize\"\n"
                                + "    lqf2(q1, q2) = (q1.curSize > q2.currSize);\n"
                                + "                    ^");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "q2 = Queue(10)                    | expected \";\", found the end of the file",
                "q2 = Queue(0);                    | a size or a rate is above 0",
                "q2 = Queue(B);                    | expected a number or the name of a constant",
                "q1 = Queue(10);                   | the name \"q1\" twice",
                "fifo(a, b) = a.size < b.size      | the name \"fifo\" twice",
                "q1.procPrio = srpt;               | q1.procPrio twice",
                "q1.schedPrio = lqf;               | expected an attribute of a queue (admPrio,",
                "q9.procPrio = fifo;               | there is no queue, buffer or port \"q9\"",
                "q1.admPrio = nothing;             | there is no definition \"nothing\"",
                "q1.admPrio = tailDrop;            | admPrio takes a comparator of two packets",
                "q1.admPrio = lqf;                 | expected a field of a packet (policyId,",
                "q1.congestion = fifo;             | congestion takes a condition with actions",
                "q1.congestion = tailDrop(out);    | expected \"q1\" or nothing",
                "q1.congestion = inline{size > 3}; | this condition says what congestion is",
                "q1.congAction = drop_tail;        | congAction without a congestion",
                "q1.postAdmAct = tailDrop;         | drop in postAdmAct, which may only",
                "c(a, b) = a.getHOL() > 3          | expected a field of the packet",
                "c(a, b) = f(a) > f(b)             | comparators and conditions call no functions",
                "c(a, b) = a.size                  | expected a comparison of a and b",
                "c(a, a) = a.size > 1              | the name \"a\" twice",
                "c(a, b) = a.size > c.size         | expected a field of what is compared",
                "c(a, b, d) = a.size > b.size      | a third parameter",
                "c(q) = (size > 3, explode)        | expected an action: drop(…), mark",
                "c(q) = (size > 3, modify(size := 3)) | expected a variable to modify",
                "c(q) = (Buffer.size > , drop)     | expected a number, a field such as",
                "q2 = Queue(3); ...; q9 = Queue(3); | stands for repetition in the published",
                "q2 = Queue(3kB);                  | a number ends here",
                "import \"nowhere.oq\"             | there is no library \"nowhere.oq\"",
                "import \"nowhere                  | this text is not closed",
                "b = Buffer(5, q1); c = Buffer(5, q1); | queue \"q1\" is in a Buffer already",
                "b = Buffer(5, out);               | expected a queue, found \"out\"",
                "Queue b = Port(q1);               | expected Queue(…), as the declaration says",
                "c(q) = q.size # 3                 | \"#\" is not a sign of the language",
                "Port(a, b) = a.size > b.size      | \"Port\" is a word of the language",
            })
    void whatIsWrongIsSaidInASentence(String statement, String sentence) {
        assertThatThrownBy(() -> Policies.of(QUEUE + statement + "\n"))
                .isInstanceOf(PolicyException.class)
                .hasMessageContaining(sentence)
                .hasMessageContaining("test.oq:5:");
    }

    @Test
    void whatAPortMissesIsSaidWithoutRefusingTheFile() throws PolicyException {
        assertThat(Policies.of("q1 = Queue(10);").notices())
                .containsExactly(
                        "it declares no port",
                        "queue q1 is in no port",
                        "queue q1 has no procPrio");
        assertThat(Policies.of(QUEUE.replace("Port(q1)", "Port(50%, q1)")).notices())
                .containsExactly(
                        "port out has a rate of its own: a port's rate is its configuration's, and"
                                + " a policy's is 100%");
        assertThat(Policies.of(QUEUE + "").notices()).isEmpty();
    }

    @Test
    void structuresFollowFromComparators() throws PolicyException {
        String two = QUEUE + "q1.congestion = tailDrop;\nq1.admPrio = by;\nby(a, b) = ";
        assertThat(structures(two + "a.arrival < b.arrival")).containsExactly("ARRIVAL", "none");
        assertThat(structures(two + "a.tos > b.tos")).containsExactly("ARRIVAL", "BUCKETS");
        assertThat(structures(two + "a.size < b.size")).containsExactly("ARRIVAL", "KEYED_HEAP");
        assertThat(structures(two + "a.size < b.tos")).containsExactly("ARRIVAL", "COMPARED_HEAP");
        assertThat(structures(QUEUE)).containsExactly("ARRIVAL", "none");
    }

    private static List<String> structures(String text) throws PolicyException {
        PolicyPlan.QueuePlan queue =
                PolicyPlan.of(Policies.of(text), Binding.standard(1, false)).queues().getFirst();
        PolicyPlan.RankingPlan admission = queue.admission();
        return List.of(
                queue.processing().structure().name(),
                admission == null ? "none" : admission.structure().name());
    }

    /** Each within its bounds, together more than a method of a class may have. */
    @Test
    void conditionOfManyLargeCasesIsRefused() {
        String sum = "len" + " + len".repeat(99);
        String each = "(len > 1, modify(weightAdm := " + sum + ")" + ".mark".repeat(5) + ")";
        String text = QUEUE + "full(q) = " + String.join(".", Collections.nCopies(30, each)) + "\n";
        assertThatThrownBy(() -> Policies.of(text))
                .isInstanceOf(PolicyException.class)
                .hasMessageContaining("a condition has at most 200 parts in all");
    }

    @Test
    void libraryThatImportsItselfIsReadOnce() throws PolicyException {
        assertThat(Policies.of(QUEUE + "import \"standard.oq\"\n").queues()).hasSize(1);
    }
}
