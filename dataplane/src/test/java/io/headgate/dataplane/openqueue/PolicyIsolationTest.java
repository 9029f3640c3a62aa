package io.headgate.dataplane.openqueue;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.openqueue.PolicyPlan.RankingPlan;
import io.headgate.dataplane.openqueue.PolicyPlan.Structure;
import io.headgate.dataplane.openqueue.language.Policy;
import io.headgate.dataplane.openqueue.language.PolicyException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a policy's own code can do at all, read from its bytecode: it reads fields of its queues,
 * buffers and packets, sets its own variables, goes forward only, makes nothing and throws nothing.
 */
final class PolicyIsolationTest {
    private static final Set<String> OWN =
            Set.of(
                    "capture",
                    "selected",
                    "congestion",
                    "bufferCongestion",
                    "admitted",
                    "scheduled",
                    "isServedBefore",
                    "isKeptBefore",
                    "processingKey",
                    "admissionKey",
                    "isHigher");
    private static final String CONDITION = "condition$";

    /** Which classes it reads fields of. */
    private static final Set<Class<?>> READ =
            Set.of(
                    PolicyState.class,
                    PacketState.class,
                    Packet.class,
                    Packet.Fields.class,
                    Place.class,
                    QueueState.class,
                    BufferState.class,
                    PortState.class,
                    Frame.class);

    private static final Set<String> VARIABLES =
            Set.of(
                    "QueueState.weightAdm",
                    "QueueState.weightSched",
                    "QueueState.admState",
                    "QueueState.schedState",
                    "BufferState.admState",
                    "PortState.schedState");

    private static final Set<String> CALLED =
            Set.of(
                    "PolicyState.mark",
                    "PolicyState.raise",
                    "PolicyState.sortable",
                    "PacketState.mark",
                    "PacketState.headOf",
                    "PacketState.headOrder",
                    "PacketState.order",
                    "PolicyLists.headOrder");

    static Stream<Path> runnable() throws IOException, PolicyException {
        return PolicyPropertyTest.runnable();
    }

    @ParameterizedTest
    @MethodSource("runnable")
    void readsAndSetsNothingButItsOwn(Path file) throws Exception {
        Policy policy = Policy.of(Policies.source(file), Policies.LIBRARY);
        boolean selects = policy.ports().getFirst().selection() != null;
        PolicyPlan plan = PolicyPlan.of(policy, Binding.standard(policy.queues().size(), selects));
        if (plan.needsOnlyLists()) {
            check(PolicyCode.lists(plan, template(PolicyLists.class)), PolicyLists.class);
            return;
        }
        check(PolicyCode.queues(plan, template(PolicyQueues.class)), PolicyQueues.class);
        for (PolicyPlan.QueuePlan queue : plan.queues()) {
            for (RankingPlan ranking :
                    Stream.of(queue.processing(), queue.admission())
                            .filter(Objects::nonNull)
                            .toList()) {
                if (ranking.structure() == Structure.COMPARED_HEAP) {
                    byte[] template = template(HeapRanking.class);
                    check(PolicyCode.heap(plan, ranking.order(), template), HeapRanking.class);
                }
            }
        }
    }

    private static byte[] template(Class<?> of) throws IOException {
        try (InputStream in =
                Objects.requireNonNull(of.getResourceAsStream(of.getSimpleName() + ".class"))) {
            return in.readAllBytes();
        }
    }

    private static void check(byte[] bytes, Class<?> template) {
        int checked = 0;
        for (MethodModel method : ClassFile.of().parse(bytes).methods()) {
            String name = method.methodName().stringValue();
            if (OWN.contains(name) || name.startsWith(CONDITION)) {
                List<CodeElement> code = method.code().orElseThrow().elementList();
                code.forEach(element -> check(element, template, name));
                goesForward(code);
                checked++;
            }
        }
        assertThat(checked).isPositive();
    }

    private static void check(CodeElement element, Class<?> template, String method) {
        switch (element) {
            case FieldInstruction field -> {
                String owner = field.owner().asInternalName().replace('/', '.');
                String name = simple(owner) + "." + field.name().stringValue();
                boolean isSet = field.opcode().name().startsWith("PUT");
                assertThat(READ.stream().map(Class::getName)).as(name).contains(owner);
                // What is captured of the packet that has come goes into its own fields.
                boolean isCaptured =
                        method.equals("capture") && owner.equals(Packet.Fields.class.getName());
                assertThat(!isSet || isCaptured || VARIABLES.contains(name))
                        .as("sets %s", name)
                        .isTrue();
            }
            case InvokeInstruction call -> {
                String owner = call.owner().asInternalName().replace('/', '.');
                String name = call.name().stringValue();
                boolean isOwn = owner.equals(template.getName()) && name.startsWith(CONDITION);
                boolean isValue = owner.equals(FrameValue.class.getName());
                assertThat(isOwn || isValue || CALLED.contains(simple(owner) + "." + name))
                        .as("calls %s.%s", owner, name)
                        .isTrue();
            }
            case ArrayStoreInstruction _,
                    InvokeDynamicInstruction _,
                    NewObjectInstruction _,
                    ThrowInstruction _ ->
                    throw new AssertionError(element);
            default -> {
                // Numbers, comparisons, local variables, returns.
            }
        }
    }

    private static String simple(String name) {
        return name.substring(name.lastIndexOf('.') + 1);
    }

    /** No branch leads back: it ends. */
    private static void goesForward(List<CodeElement> code) {
        Set<Label> passed = new HashSet<>();
        for (CodeElement element : code) {
            if (element instanceof LabelTarget target) {
                passed.add(target.label());
            } else if (element instanceof BranchInstruction branch) {
                assertThat(passed).doesNotContain(branch.target());
            } else if (element instanceof Instruction instruction) {
                assertThat(instruction.opcode().name()).isNotEqualTo("JSR");
            }
        }
    }
}
