package io.headgate.dataplane.openqueue;

import io.headgate.dataplane.openqueue.language.Expr;
import io.headgate.dataplane.openqueue.language.Field;
import io.headgate.dataplane.openqueue.language.Pred;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.List;

/**
 * Bytecode of numbers and predicates. It reads arrays of the policy's own state at indices of its
 * own queues and packets, compares, and calls nothing but three methods that do the same.
 *
 * @param captured where each field of packets is in {@link PacketTable#fields}
 * @param self the class that the code is in
 * @param firstQueue local variable with the first queue; the others likewise, −1 where there is
 *     none
 */
record ExprCode(
        List<Field> captured,
        ClassDesc self,
        int firstQueue,
        int secondQueue,
        int firstPacket,
        int secondPacket,
        int packet) {
    static final ClassDesc STATE = desc(PolicyState.class);

    private static final ClassDesc TABLE = desc(PacketTable.class);
    private static final ClassDesc INTS = ConstantDescs.CD_int.arrayType();
    private static final ClassDesc LONGS = ConstantDescs.CD_long.arrayType();
    private static final ClassDesc DOUBLES = ConstantDescs.CD_double.arrayType();
    private static final MethodTypeDesc OF_QUEUE =
            MethodTypeDesc.of(ConstantDescs.CD_long, ConstantDescs.CD_int);
    private static final MethodTypeDesc OF_QUEUE_AND_FIELD =
            MethodTypeDesc.of(ConstantDescs.CD_long, ConstantDescs.CD_int, ConstantDescs.CD_int);

    static ClassDesc desc(Class<?> of) {
        return ClassDesc.of(of.getName());
    }

    // ---- numbers

    /** Leaves a double. */
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

    /** Leaves a long or a double. */
    void access(CodeBuilder code, Expr.Access access) {
        Field field = access.field();
        switch (field.entity()) {
            case PACKET -> ofPacket(code, access.role(), field);
            case QUEUE, BUFFER -> {
                array(code, field);
                index(code, access.role());
                if (!isWhole(field)) {
                    code.daload();
                } else if (field == Field.BUFFER_CURR_QUEUE) {
                    code.iaload().i2l();
                } else {
                    code.laload();
                }
            }
            case PORT -> {
                code.aload(0);
                if (field == Field.PORT_CURR_QUEUE) {
                    code.getfield(STATE, nameOf(field), ConstantDescs.CD_int).i2l();
                } else {
                    code.getfield(STATE, nameOf(field), ConstantDescs.CD_double);
                }
            }
        }
    }

    private static void array(CodeBuilder code, Field field) {
        ClassDesc type = field == Field.BUFFER_CURR_QUEUE ? INTS : isWhole(field) ? LONGS : DOUBLES;
        code.aload(0).getfield(STATE, nameOf(field), type);
    }

    private void index(CodeBuilder code, Expr.Role role) {
        switch (role) {
            case SECOND -> code.iload(secondQueue);
            case BUFFER ->
                    code.aload(0).getfield(STATE, "bufferOf", INTS).iload(firstQueue).iaload();
            default -> code.iload(firstQueue);
        }
    }

    private static String nameOf(Field field) {
        return switch (field) {
            case QUEUE_SIZE -> "queueSize";
            case QUEUE_CURR_SIZE -> "currSize";
            case QUEUE_WEIGHT_ADM -> "weightAdm";
            case QUEUE_WEIGHT_SCHED -> "weightSched";
            case QUEUE_ADM_STATE -> "admState";
            case QUEUE_SCHED_STATE -> "schedState";
            case QUEUE_DROPPED -> "dropped";
            case QUEUE_TOTAL -> "total";
            case BUFFER_SIZE -> "bufferSize";
            case BUFFER_CURR_SIZE -> "bufferCurrSize";
            case BUFFER_CURR_QUEUE -> "bufferCurrQueue";
            case BUFFER_ADM_STATE -> "bufferAdmState";
            case PORT_RATE -> "portRate";
            case PORT_SCHED_STATE -> "portSchedState";
            case PORT_CURR_QUEUE -> "portCurrQueue";
            default -> throw new IllegalStateException(field + " is a packet's");
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
        switch (field) {
            case PACKET_POLICY_ID -> code.lconst_0();
            case PACKET_QUEUE -> {
                table(code).getfield(TABLE, "queues", INTS).iload(at).iaload().i2l();
            }
            case PACKET_ARRIVAL -> table(code).getfield(TABLE, "times", LONGS).iload(at).laload();
            default ->
                    table(code)
                            .getfield(TABLE, "fields", LONGS.arrayType())
                            .loadConstant(captured.indexOf(field))
                            .aaload()
                            .iload(at)
                            .laload();
        }
    }

    private void ofHead(CodeBuilder code, int queue, Field field) {
        switch (field) {
            case PACKET_POLICY_ID -> code.lconst_0();
            case PACKET_QUEUE -> code.iload(queue).i2l();
            case PACKET_ARRIVAL ->
                    code.aload(0).iload(queue).invokevirtual(STATE, "headTime", OF_QUEUE);
            default ->
                    code.aload(0)
                            .iload(queue)
                            .loadConstant(captured.indexOf(field))
                            .invokevirtual(STATE, "headField", OF_QUEUE_AND_FIELD);
        }
    }

    private CodeBuilder table(CodeBuilder code) {
        boolean isHeap = self.equals(desc(HeapRanking.class));
        return code.aload(0).getfield(isHeap ? self : STATE, "table", TABLE);
    }

    /** Sets a variable to what a number is. */
    void modify(CodeBuilder code, Expr target, Expr value) {
        if (!(target instanceof Expr.Access(Expr.Role role, Field field))) {
            throw new IllegalStateException(target + " is no variable");
        }
        if (field.entity() == Field.Entity.PORT) {
            code.aload(0);
            number(code, value);
            code.putfield(STATE, nameOf(field), ConstantDescs.CD_double);
            return;
        }
        array(code, field);
        index(code, role);
        number(code, value);
        code.dastore();
    }

    // ---- predicates

    /** Goes to a label if a predicate is true, or is false; else runs on. */
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
            // What is no number makes every comparison false but "unequal".
            switch (compare.relation()) {
                case LESS, LESS_OR_EQUAL -> code.dcmpg();
                default -> code.dcmpl();
            }
        }
        code.branch(when ? jumpIf(compare.relation()) : jumpUnless(compare.relation()), to);
    }

    /** Of two arrivals, compared with each other, it is the order that counts. */
    private void order(CodeBuilder code, Expr expr) {
        if (!(expr instanceof Expr.Access(Expr.Role role, _))) {
            throw new IllegalStateException(expr + " is no field");
        }
        switch (role) {
            case HEAD_OF_FIRST ->
                    code.aload(0).iload(firstQueue).invokevirtual(STATE, "headOrder", OF_QUEUE);
            case HEAD_OF_SECOND ->
                    code.aload(0).iload(secondQueue).invokevirtual(STATE, "headOrder", OF_QUEUE);
            default -> {
                int at =
                        role == Expr.Role.FIRST
                                ? firstPacket
                                : role == Expr.Role.SECOND ? secondPacket : packet;
                table(code).getfield(TABLE, "arrivals", LONGS).iload(at).laload();
            }
        }
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
