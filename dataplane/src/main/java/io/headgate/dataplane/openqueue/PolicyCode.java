package io.headgate.dataplane.openqueue;

import io.headgate.dataplane.openqueue.PolicyPlan.QueuePlan;
import io.headgate.dataplane.openqueue.PolicyPlan.RankingPlan;
import io.headgate.dataplane.openqueue.language.Action;
import io.headgate.dataplane.openqueue.language.Expr;
import io.headgate.dataplane.openqueue.language.Field;
import io.headgate.dataplane.openqueue.language.Order;
import io.headgate.dataplane.openqueue.language.Policy;
import io.headgate.dataplane.openqueue.language.Pred;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Generates the classes of a policy: copies of {@link PolicyQueues} or {@link PolicyLists}, and of
 * {@link HeapRanking}, with the policy's code in single methods.
 */
final class PolicyCode {
    private static final ClassDesc QUEUES = ExprCode.desc(PolicyQueues.class);
    private static final ClassDesc HEAP = ExprCode.desc(HeapRanking.class);
    private static final MethodTypeDesc RAISE =
            MethodTypeDesc.of(ConstantDescs.CD_void, ExprCode.QUEUE);
    private static final ClassDesc LISTS = ExprCode.desc(PolicyLists.class);
    private static final MethodTypeDesc SORTABLE =
            MethodTypeDesc.of(ConstantDescs.CD_long, ConstantDescs.CD_double);

    // Where the arguments are: of (queue, packet), of (first, second), of (buffer, first, second).
    private static final int QUEUE = 1;
    private static final int PACKET = 2;
    private static final int CHANCE = 3;

    private static final Pred ALWAYS = new Pred.Constant(true);

    // Of (frame, packet).
    private static final int CAPTURED_FRAME = 1;
    private static final int CAPTURED_PACKET = 2;

    private final PolicyPlan plan;
    private final Policy policy;

    /** The template: a packet is a {@link Packet} there, or a frame. */
    private final ClassDesc self;

    /** Conditions, each once, with the methods that they are in. */
    private final Map<List<Policy.Case>, String> conditions = new LinkedHashMap<>();

    private final Map<String, Consumer<CodeBuilder>> bodies = new LinkedHashMap<>();

    private PolicyCode(PolicyPlan plan, ClassDesc self) {
        this.plan = plan;
        this.policy = plan.policy();
        this.self = self;
    }

    /** The class of a heap with a comparator. */
    static byte[] heap(PolicyPlan plan, Order order, byte[] template) {
        ExprCode code = new ExprCode(plan, HEAP, -1, -1, 1, 2, -1);
        Consumer<CodeBuilder> body = builder -> truth(builder, code, order);
        Map<String, Consumer<CodeBuilder>> bodies = new LinkedHashMap<>();
        bodies.put("isHigher", body);
        return replaced(template, bodies, _ -> {});
    }

    /** The class of queues with ranked packets. */
    static byte[] queues(PolicyPlan plan, byte[] template) {
        PolicyCode code = new PolicyCode(plan, QUEUES);
        code.write();
        code.writeOfPackets();
        return replaced(template, code.bodies, code::addConditions);
    }

    /** The class of queues that are lists. */
    static byte[] lists(PolicyPlan plan, byte[] template) {
        PolicyCode code = new PolicyCode(plan, LISTS);
        code.write();
        return replaced(template, code.bodies, code::addConditions);
    }

    private static byte[] replaced(
            byte[] template,
            Map<String, Consumer<CodeBuilder>> bodies,
            Consumer<ClassBuilder> further) {
        ClassFile file = ClassFile.of();
        ClassModel model = file.parse(template);
        ClassTransform replacing =
                (builder, element) -> {
                    Consumer<CodeBuilder> body =
                            element instanceof MethodModel method
                                    ? bodies.get(method.methodName().stringValue())
                                    : null;
                    if (body != null && element instanceof MethodModel method) {
                        builder.withMethodBody(
                                method.methodName(),
                                method.methodType(),
                                method.flags().flagsMask(),
                                body);
                    } else {
                        builder.with(element);
                    }
                };
        return file.transformClass(model, replacing.andThen(ClassTransform.endHandler(further)));
    }

    private void write() {
        bodies.put("admissionKey", code -> keys(code, QueuePlan::admission));
        bodies.put("selected", this::selected);
        bodies.put("congestion", code -> chance(code, PolicyPlan::beyondBound));
        bodies.put(
                "admitted",
                code -> {
                    after(code, Policy.Queue::postAdmission);
                    after(code, queue -> ofBuffer(queue, Policy.Buffer::postAdmission));
                    code.return_();
                });
        bodies.put(
                "scheduled",
                code -> {
                    after(code, queue -> portOf(queue).postScheduling());
                    code.return_();
                });
        ExprCode ofQueues = new ExprCode(plan, self, 1, 2, -1, -1, -1);
        bodies.put(
                "isServedBefore",
                code ->
                        byNumber(
                                code,
                                ExprCode.QUEUE,
                                policy.queues().stream().map(q -> portOf(q).schedule()).toList(),
                                order -> onlyFirst(code, ofQueues, order),
                                () -> code.iconst_0().ireturn()));
        bodies.put(
                "bufferCongestion",
                code -> chance(code, queue -> PolicyPlan.beyondBufferBound(policy, queue)));
        ExprCode inBuffer = new ExprCode(plan, self, 2, 3, -1, -1, -1);
        bodies.put(
                "isKeptBefore",
                code ->
                        byNumber(
                                code,
                                ExprCode.BUFFER,
                                policy.buffers(),
                                buffer -> onlyFirst(code, inBuffer, buffer.order()),
                                () -> code.iconst_0().ireturn()));
    }

    /**
     * For a policy of several ports, the layout has already put the queue's number into the frame.
     */
    private void selected(CodeBuilder code) {
        if (plan.isOfSeveralPorts()) {
            code.aload(1)
                    .getfield(ExprCode.PACKET, "frame", ExprCode.FRAME)
                    .getfield(ExprCode.FRAME, "queue", ConstantDescs.CD_int)
                    .i2d()
                    .dreturn();
            return;
        }
        Expr selection = policy.ports().getFirst().selection();
        new ExprCode(plan, self, -1, -1, -1, -1, 1)
                .number(code, selection == null ? new Expr.Constant(0) : selection);
        code.dreturn();
    }

    private Policy.Port portOf(Policy.Queue queue) {
        return policy.ports().get(policy.portOf(policy.queues().indexOf(queue)));
    }

    private void writeOfPackets() {
        bodies.put("capture", this::capture);
        bodies.put("processingKey", code -> keys(code, QueuePlan::processing));
    }

    private void capture(CodeBuilder code) {
        for (Field field : plan.kept()) {
            code.aload(CAPTURED_PACKET).getfield(ExprCode.PACKET, "fields", ExprCode.FIELDS);
            ExprCode.value(code, plan.binding().source(field), CAPTURED_FRAME);
            code.putfield(ExprCode.FIELDS, ExprCode.nameOf(field), ConstantDescs.CD_long);
        }
        code.return_();
    }

    private ExprCode ofPacket() {
        return new ExprCode(plan, self, QUEUE, -1, PACKET, -1, PACKET);
    }

    private List<Policy.Case> ofBuffer(
            Policy.Queue queue, Function<Policy.Buffer, List<Policy.Case>> cases) {
        return queue.buffer() < 0 ? List.of() : cases.apply(policy.buffers().get(queue.buffer()));
    }

    // ---- orders

    private static void truth(CodeBuilder code, ExprCode exprs, @Nullable Order order) {
        if (order == null) {
            code.iconst_0().ireturn();
            return;
        }
        if (order.precedes() instanceof Pred.Constant(boolean value)) {
            code.loadConstant(value ? 1 : 0).ireturn();
            return;
        }
        Label no = code.newLabel();
        exprs.jump(code, order.precedes(), false, no);
        code.iconst_1().ireturn();
        code.labelBinding(no);
        code.iconst_0().ireturn();
    }

    /** Whether the first ranks higher than the second, and not the second than the first. */
    private static void onlyFirst(CodeBuilder code, ExprCode exprs, @Nullable Order order) {
        if (order == null || isNeverBoth(order)) {
            truth(code, exprs, order);
            return;
        }
        Label no = code.newLabel();
        exprs.jump(code, order.precedes(), false, no);
        exprs.jump(code, order.reversed().precedes(), true, no);
        code.iconst_1().ireturn();
        code.labelBinding(no);
        code.iconst_0().ireturn();
    }

    private static boolean isNeverBoth(Order order) {
        return order.key() != null
                && order.precedes() instanceof Pred.Compare(Pred.Relation relation, _, _)
                && (relation == Pred.Relation.LESS || relation == Pred.Relation.GREATER);
    }

    private void keys(CodeBuilder code, Function<QueuePlan, @Nullable RankingPlan> ranking) {
        ExprCode exprs = ofPacket();
        byNumber(
                code,
                ExprCode.QUEUE,
                plan.queues().stream().map(ranking).toList(),
                each -> key(code, exprs, each),
                () -> code.lconst_0().lreturn());
    }

    private static void key(CodeBuilder code, ExprCode exprs, @Nullable RankingPlan ranking) {
        Order.Key key = ranking == null ? null : ranking.key();
        if (ranking == null || key == null || ranking.structure() == PolicyPlan.Structure.ARRIVAL) {
            code.lconst_0().lreturn();
            return;
        }
        boolean isBucket = ranking.structure() == PolicyPlan.Structure.BUCKETS;
        if (key.expr() instanceof Expr.Access access && ExprCode.isWhole(access.field())) {
            exprs.access(code, access);
        } else {
            exprs.number(code, key.expr());
            code.invokestatic(ExprCode.STATE, "sortable", SORTABLE);
        }
        if (key.isLargestFirst()) {
            code.loadConstant(isBucket ? KeySet.KEYS - 1L : -1L).lxor();
        }
        code.lreturn();
    }

    // ---- conditions

    private void chance(CodeBuilder code, Function<Policy.Queue, List<Policy.Case>> cases) {
        byNumber(
                code,
                ExprCode.QUEUE,
                policy.queues().stream().map(cases).toList(),
                each -> {
                    call(code, each);
                    code.dreturn();
                },
                () -> code.dconst_0().dreturn());
    }

    /** Leaves the chance that a packet is dropped with. */
    private void call(CodeBuilder code, List<Policy.Case> cases) {
        if (cases.isEmpty()) {
            code.dconst_0();
            return;
        }
        String name = conditions.computeIfAbsent(cases, _ -> "condition$" + conditions.size());
        code.aload(0).aload(QUEUE).aload(PACKET).invokevirtual(self, name, condition());
    }

    private void after(CodeBuilder code, Function<Policy.Queue, List<Policy.Case>> cases) {
        List<List<Policy.Case>> all = policy.queues().stream().map(cases).toList();
        if (all.stream().allMatch(List::isEmpty)) {
            return;
        }
        Label end = code.newLabel();
        byNumber(
                code,
                ExprCode.QUEUE,
                all,
                each -> {
                    call(code, each);
                    code.pop2().goto_(end);
                },
                () -> code.goto_(end));
        code.labelBinding(end);
    }

    private boolean isOfFrames() {
        return self.equals(LISTS);
    }

    private ClassDesc packetType() {
        return isOfFrames() ? ExprCode.FRAME : ExprCode.PACKET;
    }

    private MethodTypeDesc condition() {
        return MethodTypeDesc.of(ConstantDescs.CD_double, ExprCode.QUEUE, packetType());
    }

    private MethodTypeDesc mark() {
        return MethodTypeDesc.of(ConstantDescs.CD_void, ExprCode.QUEUE, packetType());
    }

    private void addConditions(ClassBuilder builder) {
        conditions.forEach((cases, name) ->
                builder.withMethodBody(
                        name, condition(), ClassFile.ACC_FINAL, code -> condition(code, cases)));
    }

    private void condition(CodeBuilder code, List<Policy.Case> cases) {
        ExprCode exprs = ofPacket();
        for (Policy.Case each : cases) {
            Label next = code.newLabel();
            exprs.jump(code, each.pred(), false, next);
            code.dconst_0().dstore(CHANCE);
            for (Action action : each.actions()) {
                switch (action) {
                    case Action.Drop(Expr probability) -> {
                        exprs.number(code, probability);
                        code.dstore(CHANCE);
                    }
                    case Action.Mark _ -> {
                        ClassDesc owner = isOfFrames() ? ExprCode.STATE : ExprCode.PACKETS;
                        code.aload(0)
                                .aload(QUEUE)
                                .aload(PACKET)
                                .invokevirtual(owner, "mark", mark());
                    }
                    case Action.Notify _ ->
                            code.aload(0)
                                    .aload(QUEUE)
                                    .invokevirtual(ExprCode.STATE, "raise", RAISE);
                    case Action.Modify(Expr target, Expr value) ->
                            exprs.modify(code, target, value);
                }
            }
            code.dload(CHANCE).dreturn();
            if (each.pred().equals(ALWAYS)) {
                // What stands behind is never come to.
                return;
            }
            code.labelBinding(next);
        }
        code.dconst_0().dreturn();
    }

    // ---- what depends on the first argument

    /**
     * One piece of code for each queue or buffer that the first argument may be, each of which
     * leaves the method or goes elsewhere; one for all that are alike.
     */
    private static <T extends @Nullable Object> void byNumber(
            CodeBuilder code, ClassDesc first, List<T> all, Consumer<T> each, Runnable otherwise) {
        if (all.isEmpty()) {
            otherwise.run();
            return;
        }
        if (all.stream().distinct().count() == 1) {
            each.accept(all.getFirst());
            return;
        }
        Label none = code.newLabel();
        Map<T, Label> labels = new LinkedHashMap<>();
        List<SwitchCase> cases = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            Label label = labels.computeIfAbsent(all.get(i), _ -> code.newLabel());
            cases.add(SwitchCase.of(i, label));
        }
        code.aload(1)
                .getfield(first, "number", ConstantDescs.CD_int)
                .tableswitch(0, all.size() - 1, none, cases);
        labels.forEach((one, label) -> {
            code.labelBinding(label);
            each.accept(one);
        });
        code.labelBinding(none);
        otherwise.run();
    }
}
