package io.headgate.dataplane.counter;

import io.headgate.dataplane.counter.CounterDirectory.Entry;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Reads the counters that another thread or process writes, from the memory they share. */
public final class CounterReader {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private final MemorySegment memory;
    private final long valuesOffset;
    private final List<Entry> entries;

    /**
     * @throws IllegalArgumentException with one sentence, if the memory does not hold counters
     */
    public CounterReader(MemorySegment memory) {
        this.memory = memory;
        if (memory.byteSize() < CounterDirectory.HEADER_BYTES
                || memory.asSlice(0, 8).mismatch(MemorySegment.ofArray(CounterDirectory.MAGIC))
                        != -1) {
            throw new IllegalArgumentException("not a Headgate counter file");
        }
        int version = memory.get(INT, 8);
        if (version != CounterDirectory.VERSION) {
            throw new IllegalArgumentException(
                    "counter file has version "
                            + version
                            + ", this Headgate reads version "
                            + CounterDirectory.VERSION);
        }
        // Pairs with the release in CounterDirectory.bind.
        if ((long) ValueLayout.JAVA_LONG.varHandle().getAcquire(memory, 48L) != 1) {
            throw new IllegalArgumentException("counter file is still being made");
        }
        int count = memory.get(INT, 12);
        this.valuesOffset = memory.get(LONG, 32);
        long descriptorsEnd =
                CounterDirectory.HEADER_BYTES + (long) count * CounterDirectory.DESCRIPTOR_BYTES;
        if (count < 0 || descriptorsEnd > valuesOffset || valuesOffset > memory.byteSize()) {
            throw new IllegalArgumentException("counter file is damaged");
        }
        List<Entry> read = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            read.add(readEntry(i));
        }
        this.entries = List.copyOf(read);
    }

    public List<Entry> entries() {
        return entries;
    }

    public long value(Entry entry) {
        return (long)
                ValueLayout.JAVA_LONG
                        .varHandle()
                        .getOpaque(memory, valuesOffset + ((long) entry.valueIndex() << 3));
    }

    private Entry readEntry(int index) {
        long at = CounterDirectory.HEADER_BYTES + (long) index * CounterDirectory.DESCRIPTOR_BYTES;
        int scope = memory.get(INT, at);
        int kind = memory.get(INT, at + 8);
        int valueIndex = memory.get(INT, at + 12);
        long valueEnd = valuesOffset + ((long) valueIndex << 3) + Long.BYTES;
        if (scope < 0
                || scope >= Scope.values().length
                || kind < 0
                || kind >= CounterId.Kind.values().length
                || valueIndex < 0
                || valueEnd > memory.byteSize()) {
            throw new IllegalArgumentException("counter file is damaged");
        }
        return new Entry(
                Scope.values()[scope],
                memory.get(INT, at + 4),
                text(at + 16, 32),
                text(at + 48, 48),
                text(at + 96, 16),
                CounterId.Kind.values()[kind],
                text(at + 112, 144),
                valueIndex);
    }

    private String text(long offset, int limit) {
        byte[] bytes = memory.asSlice(offset, limit).toArray(ValueLayout.JAVA_BYTE);
        int length = 0;
        while (length < limit && bytes[length] != 0) {
            length++;
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }
}
