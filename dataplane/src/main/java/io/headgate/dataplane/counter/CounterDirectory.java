package io.headgate.dataplane.counter;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * All counters of a switch in one block of memory, which includes their descriptions, so that a
 * reader needs only the file. Little endian, offsets in bytes:
 *
 * <pre>
 *    0 +-----------------------------------------+
 *      | magic "HGCNTRS1"                        |
 *    8 | version (int) = 1  | counters (int) = n |
 *   16 | process id (long)                       |
 *   24 | started, ms since 1970 (long)           |
 *   32 | offset of the values (long)             |
 *   40 | total length (long)                     |
 *   48 | ready (long): 1 once all is written     |
 *   64 +-----------------------------------------+
 *      | n descriptors of 256 bytes:             |
 *      |   0 scope (int)     4 number (int)      |
 *      |   8 kind (int)     12 value index (int) |
 *      |  16 name of the port or worker (32)     |
 *      |  48 label (48)     96 unit (16)         |
 *      | 112 description (144)                   |
 *      +-----------------------------------------+
 *      | values (long each), every duty's block  |
 *      | on its own 128-byte boundary            |
 *      +-----------------------------------------+
 * </pre>
 *
 * Texts are UTF-8, padded with zeros. We do not use Agrona's CountersManager format, because its
 * readers need {@code jdk.internal.misc} opened, and its labels have no unit.
 */
public final class CounterDirectory {
    /** The kind of owner of a block of counters. The ordinal is the number in the file. */
    public enum Scope {
        SWITCH,
        INGRESS,
        EGRESS,
        WORKER
    }

    /** One counter as a reader sees it. {@code number} is that of the port or worker. */
    public record Entry(
            Scope scope,
            int number,
            String owner,
            String label,
            String unit,
            CounterId.Kind kind,
            String description,
            int valueIndex) {}

    static final byte[] MAGIC = "HGCNTRS1".getBytes(StandardCharsets.US_ASCII);
    static final int VERSION = 1;
    static final int HEADER_BYTES = 64;
    static final int DESCRIPTOR_BYTES = 256;
    static final int BLOCK_ALIGNMENT_BYTES = 128;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private final List<Block> blocks = new ArrayList<>();
    private int counters;
    private int nextValue;
    private long valuesOffset;
    private @Nullable MemorySegment memory;

    /** One duty's counters; all duties of its kind share their descriptions. */
    private record Block(
            Scope scope, int number, String owner, List<? extends CounterId> ids, int firstValue) {}

    /**
     * Reserves the block of one duty; {@link #block} returns it once there is memory.
     *
     * @param ids counters in the order of their ordinals; the places of missing ones stay empty
     */
    public int reserve(Scope scope, int number, String owner, List<? extends CounterId> ids) {
        int valuesPerLine = BLOCK_ALIGNMENT_BYTES / Long.BYTES;
        nextValue = (nextValue + valuesPerLine - 1) / valuesPerLine * valuesPerLine;
        blocks.add(new Block(scope, number, owner, ids, nextValue));
        counters += ids.size();
        nextValue += ids.isEmpty() ? 0 : ids.getLast().ordinal() + 1;
        return blocks.size() - 1;
    }

    public int reserveDrops(boolean ingress, int port, String owner) {
        return reserve(
                ingress ? Scope.INGRESS : Scope.EGRESS, port, owner, DropCounters.idsFor(ingress));
    }

    /** Size of the memory in bytes, once everything is reserved. */
    public long lengthBytes() {
        return describedBytes() + ((long) nextValue << 3) + BLOCK_ALIGNMENT_BYTES;
    }

    /** Lays the directory out in zeroed memory; from then on {@link #block} can be called. */
    public void bind(MemorySegment memory, long processId, long startedEpochMs) {
        if (memory.byteSize() < lengthBytes()) {
            throw new IllegalArgumentException(memory.byteSize() + " < " + lengthBytes());
        }
        MemorySegment.copy(MAGIC, 0, memory, ValueLayout.JAVA_BYTE, 0, MAGIC.length);
        memory.set(INT, 8, VERSION);
        memory.set(INT, 12, counters);
        memory.set(LONG, 16, processId);
        memory.set(LONG, 24, startedEpochMs);
        valuesOffset = describedBytes();
        memory.set(LONG, 32, valuesOffset);
        memory.set(LONG, 40, lengthBytes());
        long at = HEADER_BYTES;
        for (Entry entry : entries()) {
            memory.set(INT, at, entry.scope().ordinal());
            memory.set(INT, at + 4, entry.number());
            memory.set(INT, at + 8, entry.kind().ordinal());
            memory.set(INT, at + 12, entry.valueIndex());
            putText(memory, at + 16, 32, entry.owner());
            putText(memory, at + 48, 48, entry.label());
            putText(memory, at + 96, 16, entry.unit());
            putText(memory, at + 112, 144, entry.description());
            at += DESCRIPTOR_BYTES;
        }
        // Pairs with the acquire in CounterReader: a reader that sees 1 sees all descriptors.
        ValueLayout.JAVA_LONG.varHandle().setRelease(memory, 48L, 1L);
        this.memory = memory;
    }

    /** Binds to private memory, for engines whose counters have no other reader. */
    public void bindPrivately() {
        bindValuesOnly(Arena.ofAuto().allocate(Math.max(8, valuesBytes()), BLOCK_ALIGNMENT_BYTES));
    }

    /** Bytes that {@link #bindValuesOnly} needs, once everything is reserved. */
    public long valuesBytes() {
        return (long) nextValue << 3;
    }

    /** Binds to memory, all zero, that holds the values and no description of them. */
    public void bindValuesOnly(MemorySegment values) {
        if (values.byteSize() < valuesBytes()) {
            throw new IllegalArgumentException(values.byteSize() + " < " + valuesBytes());
        }
        valuesOffset = 0;
        memory = values;
    }

    public CounterBlock block(int reservation) {
        return new CounterBlock(
                boundMemory(), valuesOffset + ((long) blocks.get(reservation).firstValue() << 3));
    }

    public DropCounters drops(boolean ingress, int reservation) {
        return new DropCounters(ingress, block(reservation));
    }

    public List<Entry> entries() {
        List<Entry> entries = new ArrayList<>(counters);
        for (Block block : blocks) {
            for (CounterId id : block.ids()) {
                entries.add(
                        new Entry(
                                block.scope(),
                                block.number(),
                                block.owner(),
                                id.label(),
                                id.unit(),
                                id.kind(),
                                id.description(),
                                block.firstValue() + id.ordinal()));
            }
        }
        return List.copyOf(entries);
    }

    public long value(Entry entry) {
        return value(entry.valueIndex());
    }

    private long value(int index) {
        return boundMemory().get(LONG, valuesOffset + ((long) index << 3));
    }

    /**
     * The sum of an owner's counters of some labels, now.
     *
     * @param number number of the port or worker
     * @throws IllegalArgumentException if no counter matches
     */
    public long sum(Scope scope, int number, Predicate<String> labels) {
        long sum = 0;
        boolean isFound = false;
        for (Block block : blocks) {
            if (block.scope() != scope || block.number() != number) {
                continue;
            }
            for (CounterId id : block.ids()) {
                if (labels.test(id.label())) {
                    isFound = true;
                    sum += value(block.firstValue() + id.ordinal());
                }
            }
        }
        if (!isFound) {
            throw new IllegalArgumentException("no such counter of " + scope + " " + number);
        }
        return sum;
    }

    private MemorySegment boundMemory() {
        MemorySegment bound = memory;
        if (bound == null) {
            throw new IllegalStateException("counters have no memory yet");
        }
        return bound;
    }

    private long describedBytes() {
        long end = HEADER_BYTES + (long) counters * DESCRIPTOR_BYTES;
        return (end + BLOCK_ALIGNMENT_BYTES - 1) / BLOCK_ALIGNMENT_BYTES * BLOCK_ALIGNMENT_BYTES;
    }

    private static void putText(MemorySegment memory, long offset, int limit, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(limit, bytes.length);
        MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, offset, length);
    }
}
