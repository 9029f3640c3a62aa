package io.headgate.dataplane.frame;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Frames that scapy built and tshark described; {@code src/test/scripts/make_frame_corpus.py}
 * writes the table.
 */
final class Corpus {
    /** One frame, and what tshark calls its fields; those that it has not are not in the map. */
    record Entry(String name, String hex, Map<String, String> fields) {
        byte[] bytes() {
            return HexFormat.of().parseHex(hex);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private Corpus() {}

    static List<Entry> read() {
        List<String> lines = lines();
        String[] columns = lines.get(0).split("\t", -1);
        List<Entry> entries = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = line.split("\t", -1);
            SortedMap<String, String> fields = new TreeMap<>();
            for (int column = 2; column < columns.length; column++) {
                if (!cells[column].isEmpty()) {
                    fields.put(columns[column], cells[column]);
                }
            }
            entries.add(new Entry(cells[0], cells[1], fields));
        }
        return entries;
    }

    private static List<String> lines() {
        try (InputStream in = Corpus.class.getResourceAsStream("corpus.tsv")) {
            byte[] bytes = Objects.requireNonNull(in).readAllBytes();
            return new String(bytes, StandardCharsets.US_ASCII).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
