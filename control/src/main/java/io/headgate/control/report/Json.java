package io.headgate.control.report;

import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Writes and reads JSON for all reports and commands. Any thread. */
public final class Json {
    /** Writes one line, for sockets and for other programs. */
    public static final JsonMapper COMPACT = JsonMapper.builder().build();

    /** Writes one line per value, for files that people also read. */
    public static final JsonMapper INDENTED =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private Json() {}

    /** Reads a list back as the records that were written. */
    public static <T> List<T> list(JsonNode list, Class<T[]> type) {
        return List.of(COMPACT.treeToValue(list, type));
    }
}
