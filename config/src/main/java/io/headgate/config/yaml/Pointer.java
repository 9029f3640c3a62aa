package io.headgate.config.yaml;

import io.headgate.config.key.Text;
import org.jspecify.annotations.Nullable;

/** JSON pointers (RFC 6901) into a YAML tree, and the form in which people see them. */
final class Pointer {
    private Pointer() {}

    static String child(String pointer, String key) {
        return pointer + "/" + key.replace("~", "~0").replace("/", "~1");
    }

    static String child(String pointer, int index) {
        return pointer + "/" + index;
    }

    static String parent(String pointer) {
        return pointer.substring(0, Math.max(0, pointer.lastIndexOf('/')));
    }

    static String unescape(String segment) {
        return segment.replace("~1", "/").replace("~0", "~");
    }

    /** The node at a pointer, or null. */
    static @Nullable YamlNode find(YamlNode root, String pointer) {
        YamlNode node = root;
        String[] segments = pointer.split("/", -1);
        for (int i = 1; i < segments.length && node != null; i++) {
            node =
                    switch (node) {
                        case YamlNode.Mapping mapping -> mapping.get(unescape(segments[i]));
                        case YamlNode.Sequence sequence -> item(sequence, segments[i]);
                        case YamlNode.Scalar _ -> null;
                    };
        }
        return node;
    }

    private static @Nullable YamlNode item(YamlNode.Sequence sequence, String segment) {
        if (segment.isEmpty()
                || segment.length() > 9
                || !segment.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return null;
        }
        int index = Integer.parseInt(segment);
        return index < sequence.items().size() ? sequence.items().get(index) : null;
    }

    /** {@code /ports/2/rate} in a tree, for people: {@code ports[2].rate}. */
    static String render(YamlNode root, String pointer) {
        StringBuilder out = new StringBuilder();
        YamlNode node = root;
        String[] segments = pointer.split("/", -1);
        for (int i = 1; i < segments.length; i++) {
            String segment = unescape(segments[i]);
            if (node instanceof YamlNode.Sequence sequence) {
                out.append('[').append(segment).append(']');
                node = item(sequence, segments[i]);
            } else {
                out.append(out.isEmpty() ? "" : ".").append(Text.shorten(segment));
                node = node instanceof YamlNode.Mapping mapping ? mapping.get(segment) : null;
            }
        }
        return out.toString();
    }
}
