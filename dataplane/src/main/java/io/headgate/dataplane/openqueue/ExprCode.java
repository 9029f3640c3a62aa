package io.headgate.dataplane.openqueue;

import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.openqueue.language.Expr;
import io.headgate.dataplane.openqueue.language.Field;
import io.headgate.dataplane.openqueue.language.Pred;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;

/**
 * Generates bytecode for numbers and predicates. The code only reads fields of the policy's own
 * queues and packets, compares, and calls methods that do the same.
 *
 * @param plan defines the frame value of each field of packets
 * @param self the class that contains the code
 * @param firstQueue local variable with the first queue; the other parameters in the same way; −1
 *     if there is no such variable
 */
record ExprCode(
        PolicyPlan plan,
        ClassDesc self,
        int firstQueue,
        int secondQueue,
        int firstPacket,
        int secondPacket,
        int packet) {
    static final ClassDesc STATE = desc(PolicyState.class);
    static final ClassDesc FRAME = desc(Frame.class);

    static final ClassDesc PACKET = desc(Packet.class);
    static final ClassDesc FIELDS = desc(Packet.Fields.class);
    private static final ClassDesc PLACE = desc(Place.class);
    static final ClassDesc QUEUE = desc(QueueState.class);
    static final ClassDesc BUFFER = desc(BufferState.class);
    private static final ClassDesc PORT = desc(PortState.class);
    private static final ClassDesc HEAP = desc(HeapRanking.class);
    private static final ClassDesc LISTS = desc(PolicyLists.class);
    static final ClassDesc PACKETS = desc(PacketState.class);
    private static final ClassDesc VALUE = desc(FrameValue.class);
    private static final MethodTypeDesc OF_FRAME = MethodTypeDesc.of(ConstantDescs.CD_long, FRAME);
    private static final MethodTypeDesc OF_QUEUE = MethodTypeDesc.of(ConstantDescs.CD_long, QUEUE);
    private static final MethodTypeDesc PACKET_OF_QUEUE = MethodTypeDesc.of(PACKET, QUEUE);
    private static final MethodTypeDesc OF_PACKET =
            MethodTypeDesc.of(ConstantDescs.CD_long, PACKET);

    static ClassDesc desc(Class<?> of) {
        return ClassDesc.of(of.getName());
    }

    // ---- numbers

    /** Generates code that leaves a number on the stack, as a double. */
    void number(CodeBuilder code, Expr expr) {
        switch (expr) {
            case Expr.Constant(double value) -> code.loadConstant(value);
            case Expr.Access access -> {
                access(code, access);
                if (isWhole(access.field())) {
                    code.l2d();
                }
            }
            case Expr.Arithmetic(char operator, Expr left, Expr right) -> {
                number(code, left);
                number(code, right);
                switch (operator) {
                    case '+' -> code.dadd();
                    case '-' -> code.dsub();
                    case '*' -> code.dmul();
                    default -> code.ddiv();
                }
            }
            case Expr.Path path -> throw new IllegalStateException(path + " was not looked up");
        }
    }

    /** Whether a field is kept as a long. */
    static boolean isWhole(Field field) {
        return switch (field) {
            case QUEUE_CURR_SIZE,
                    QUEUE_DROPPED,
                    QUEUE_TOTAL,
                    BUFFER_CURR_SIZE,
                    BUFFER_CURR_QUEUE,
                    PORT_CURR_QUEUE ->
                    true;
            default -> field.entity() == Field.Entity.PACKET;
        };
    }

    /** Generates code that leaves a field's value on the stack, as a long or a double. */
    void access(CodeBuilder code, Expr.Access access) {
        Field field = access.field();
        switch (field.entity()) {
            case PACKET -> ofPacket(code, access.role(), field);
            case QUEUE, BUFFER -> {
                owner(code, access.role(), field);
                if (field == Field.QUEUE_CURR_SIZE || field == Field.BUFFER_CURR_SIZE) {
                    code.getfield(ownerOf(field), "held", ConstantDescs.CD_long);
                    currSize(code);
                } else if (field == Field.BUFFER_CURR_QUEUE) {
                    code.getfield(BUFFER, nameOf(field), ConstantDescs.CD_int).i2l();
                } else {
                    code.getfield(
                            ownerOf(field),
                            nameOf(field),
                            isWhole(field) ? ConstantDescs.CD_long : ConstantDescs.CD_double);
                }
            }
            case PORT -> {
                port(code);
                if (field == Field.PORT_CURR_QUEUE) {
                    code.getfield(PORT, nameOf(field), ConstantDescs.CD_int).i2l();
                } else {
                    code.getfield(PORT, nameOf(field), ConstantDescs.CD_double);
                }
            }
        }
    }

    private void currSize(CodeBuilder code) {
        if (plan.binding().countsPackets()) {
            code.loadConstant(QueueState.FRAMES_SHIFT).lushr();
        } else {
            code.loadConstant(QueueState.BYTES_MASK).land();
        }
    }

    private static ClassDesc ownerOf(Field field) {
        return field.entity() == Field.Entity.BUFFER ? BUFFER : QUEUE;
    }

    /** Generates code that leaves the queue of the field, or its buffer, on the stack. */
    private void owner(CodeBuilder code, Expr.Role role, Field field) {
        code.aload(role == Expr.Role.SECOND ? secondQueue : firstQueue);
        if (field.entity() == Field.Entity.BUFFER) {
            code.getfield(QUEUE, "buffer", BUFFER);
        }
    }

    /** Leaves the port, which is that of the queue at hand. */
    private void port(CodeBuilder code) {
        if (plan.isOfSeveralPorts()) {
            code.aload(firstQueue).getfield(QUEUE, "port", PORT);
        } else {
            code.aload(0).getfield(STATE, "port", PORT);
        }
    }

    /** The name of the Java field that holds it: the same name, with few exceptions. */
    static String nameOf(Field field) {
        return switch (field) {
            case QUEUE_CURR_SIZE, BUFFER_CURR_SIZE -> "held";
            case PACKET_PROCESSING -> "work";
            case PACKET_LENGTH -> "length";
            case PACKET_TOS -> "tos";
            case PACKET_SOURCE -> "source";
            case PACKET_DESTINATION -> "destination";
            case PACKET_ARRIVAL, PACKET_QUEUE, PACKET_POLICY_ID ->
                    throw new IllegalStateException(field + " is not kept as a number");
            default -> field.word();
        };
    }

    private void ofPacket(CodeBuilder code, Expr.Role role, Field field) {
        if (role == Expr.Role.HEAD_OF_FIRST || role == Expr.Role.HEAD_OF_SECOND) {
            ofHead(code, role == Expr.Role.HEAD_OF_FIRST ? firstQueue : secondQueue, field);
            return;
        }
        int at =
                switch (role) {
                    case FIRST -> firstPacket;
                    case SECOND -> secondPacket;
                    default -> packet;
                };
        if (isInLists()) {
            ofFrame(code, at, field);
            return;
        }
        packet(code, at);
        field(code, field);
    }

    /** Leaves a packet: of a heap's comparator it is at a place. */
    private void packet(CodeBuilder code, int at) {
        code.aload(at);
        if (self.equals(HEAP)) {
            code.getfield(PLACE, "packet", PACKET);
        }
    }

    /** Leaves a field of the packet that is on the stack. */
    private void field(CodeBuilder code, Field field) {
        switch (field) {
            case PACKET_POLICY_ID -> code.pop().lconst_0();
            case PACKET_QUEUE -> code.getfield(PACKET, "queue", ConstantDescs.CD_int).i2l();
            case PACKET_ARRIVAL -> code.getfield(PACKET, "timeNs", ConstantDescs.CD_long);
            default -> {
                if (plan.kept().contains(field)) {
                    code.getfield(PACKET, "fields", FIELDS)
                            .getfield(FIELDS, nameOf(field), ConstantDescs.CD_long);
                } else {
                    code.getfield(PACKET, "frame", FRAME);
                    valueOfFrame(code, plan.binding().source(field));
                }
            }
        }
    }

    private boolean isInLists() {
        return self.equals(LISTS);
    }

    private void ofFrame(CodeBuilder code, int at, Field field) {
        switch (field) {
            case PACKET_POLICY_ID -> code.lconst_0();
            case PACKET_QUEUE ->
                    code.aload(at).getfield(FRAME, "queue", ConstantDescs.CD_int).i2l();
            default -> value(code, plan.binding().source(field), at);
        }
    }

    /** Generates code that leaves a value of a frame on the stack, as a long. */
    static void value(CodeBuilder code, FrameValue source, int frame) {
        valueOfFrame(code.aload(frame), source);
    }

    /** The same of the frame that is on the stack. */
    private static void valueOfFrame(CodeBuilder code, FrameValue source) {
        if (source == FrameValue.NONE) {
            code.pop().lconst_0();
        } else {
            code.invokestatic(VALUE, source.method(), OF_FRAME);
        }
    }

    private void ofHead(CodeBuilder code, int queue, Field field) {
        if (field == Field.PACKET_QUEUE) {
            code.aload(queue).getfield(QUEUE, "number", ConstantDescs.CD_int).i2l();
            return;
        }
        code.aload(0).aload(queue).invokevirtual(PACKETS, "headOf", PACKET_OF_QUEUE);
        field(code, field);
    }

    /** Generates code that sets a variable to a number. */
    void modify(CodeBuilder code, Expr target, Expr value) {
        if (!(target instanceof Expr.Access(Expr.Role role, Field field))) {
            throw new IllegalStateException(target + " is not a variable");
        }
        if (field.entity() == Field.Entity.PORT) {
            port(code);
            number(code, value);
            code.putfield(PORT, nameOf(field), ConstantDescs.CD_double);
            return;
        }
        owner(code, role, field);
        number(code, value);
        code.putfield(ownerOf(field), nameOf(field), ConstantDescs.CD_double);
    }

    // ---- predicates

    /**
     * Generates code that jumps to a label if a predicate equals {@code when}, and else continues.
     */
    void jump(CodeBuilder code, Pred pred, boolean when, Label to) {
        switch (pred) {
            case Pred.Constant(boolean value) -> {
                if (value == when) {
                    code.goto_(to);
                }
            }
            case Pred.Not(Pred of) -> jump(code, of, !when, to);
            case Pred.And(Pred left, Pred right) -> both(code, left, right, when, true, to);
            case Pred.Or(Pred left, Pred right) -> both(code, left, right, when, false, to);
            case Pred.Compare compare -> compare(code, compare, when, to);
        }
    }

    private void both(
            CodeBuilder code, Pred left, Pred right, boolean when, boolean isAnd, Label to) {
        if (when != isAnd) {
            jump(code, left, when, to);
            jump(code, right, when, to);
            return;
        }
        Label no = code.newLabel();
        jump(code, left, !when, no);
        jump(code, right, when, to);
        code.labelBinding(no);
    }

    private void compare(CodeBuilder code, Pred.Compare compare, boolean when, Label to) {
        if (compare.left().field() == Field.PACKET_ARRIVAL
                && compare.right().field() == Field.PACKET_ARRIVAL) {
            order(code, compare.left());
            order(code, compare.right());
            code.lcmp();
        } else if (compare.left() instanceof Expr.Access left
                && compare.right() instanceof Expr.Access right
                && isWhole(left.field())
                && isWhole(right.field())) {
            access(code, left);
            access(code, right);
            code.lcmp();
        } else {
            number(code, compare.left());
            number(code, compare.right());
            // A comparison with NaN is false, except for "unequal".
            switch (compare.relation()) {
                case LESS, LESS_OR_EQUAL -> code.dcmpg();
                default -> code.dcmpl();
            }
        }
        code.branch(when ? jumpIf(compare.relation()) : jumpUnless(compare.relation()), to);
    }

    /** A comparison of two arrivals uses their order, not their times. */
    private void order(CodeBuilder code, Expr expr) {
        if (!(expr instanceof Expr.Access(Expr.Role role, _))) {
            throw new IllegalStateException(expr + " is not a field");
        }
        switch (role) {
            case HEAD_OF_FIRST ->
                    code.aload(0).aload(firstQueue).invokevirtual(heads(), "headOrder", OF_QUEUE);
            case HEAD_OF_SECOND ->
                    code.aload(0).aload(secondQueue).invokevirtual(heads(), "headOrder", OF_QUEUE);
            default -> {
                int at =
                        role == Expr.Role.FIRST
                                ? firstPacket
                                : role == Expr.Role.SECOND ? secondPacket : packet;
                packet(code, at);
                code.invokestatic(PACKETS, "order", OF_PACKET);
            }
        }
    }

    private ClassDesc heads() {
        return isInLists() ? LISTS : PACKETS;
    }

    private static Opcode jumpIf(Pred.Relation relation) {
        return switch (relation) {
            case LESS -> Opcode.IFLT;
            case LESS_OR_EQUAL -> Opcode.IFLE;
            case GREATER -> Opcode.IFGT;
            case GREATER_OR_EQUAL -> Opcode.IFGE;
            case EQUAL -> Opcode.IFEQ;
            case UNEQUAL -> Opcode.IFNE;
        };
    }

    private static Opcode jumpUnless(Pred.Relation relation) {
        return switch (relation) {
            case LESS -> Opcode.IFGE;
            case LESS_OR_EQUAL -> Opcode.IFGT;
            case GREATER -> Opcode.IFLE;
            case GREATER_OR_EQUAL -> Opcode.IFLT;
            case EQUAL -> Opcode.IFNE;
            case UNEQUAL -> Opcode.IFEQ;
        };
    }
}
