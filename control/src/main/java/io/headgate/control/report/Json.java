package io.headgate.control.report;

import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The one way in which reports and commands write and read JSON. Any thread. */
public final class Json {
    /** In one line, as what goes over a socket, or on from program to program. */
    public static final JsonMapper COMPACT = JsonMapper.builder().build();

    /** With a line per value, for files that people look into, too. */
    public static final JsonMapper INDENTED =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private Json() {}

    /** A list as records, as they were written. */
    public static <T> List<T> list(JsonNode list, Class<T[]> type) {
        return List.of(COMPACT.treeToValue(list, type));
    }
}
