package io.headgate.testbed.scenario.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.annotation.Nulls;
import io.headgate.control.report.Json;
import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.report.Result.Part;
import io.headgate.testbed.topology.picture.LinkLoad;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.jdk.NumberSerializers.DoubleSerializer;

/**
 * Maps records to a result's JSON and back. NaN (not measured) is null, whole numbers have no
 * fraction. A list may be missing; every other value must exist unless its record allows null.
 */
final class ResultMapping {
    static final JsonMapper COMPACT = of(Json.COMPACT);
    static final JsonMapper INDENTED = of(Json.INDENTED);

    private ResultMapping() {}

    private static JsonMapper of(JsonMapper plain) {
        SimpleModule module =
                new SimpleModule()
                        .addSerializer(double.class, new NumberWriter())
                        .addSerializer(double[].class, new NumbersWriter())
                        .addDeserializer(
                                double.class,
                                new Reader<>(node -> node.asDouble(Double.NaN), Double.NaN))
                        .addDeserializer(
                                double[].class, new Reader<>(ResultMapping::numbers, new double[0]))
                        .setMixInAnnotation(BedKind.class, BedKeys.class)
                        .setMixInAnnotation(Check.class, CheckKeys.class);
        JsonSetter.Value empty = JsonSetter.Value.construct(Nulls.AS_EMPTY, Nulls.FAIL);
        return plain.rebuild()
                .addModule(module)
                .changeDefaultNullHandling(_ -> JsonSetter.Value.forValueNulls(Nulls.FAIL))
                .withConfigOverride(List.class, list -> list.setNullHandling(empty))
                .withConfigOverride(double.class, number -> number.setNullHandling(empty))
                .build();
    }

    /**
     * Reads the values that a record declares.
     *
     * @throws IllegalArgumentException in a sentence that names what is wrong
     */
    static <T> T read(JsonNode tree, Class<T> type) {
        String where = "";
        try {
            T read = COMPACT.treeToValue(tree, type);
            if (read != null) {
                return read;
            }
        } catch (DatabindException e) {
            if (e.getCause() instanceof IllegalArgumentException ours) {
                throw ours;
            }
            where =
                    e.getPath().stream()
                            .map(step ->
                                    step.getPropertyName() == null
                                            ? Integer.toString(step.getIndex())
                                            : step.getPropertyName())
                            .collect(Collectors.joining("/"));
        }
        throw new IllegalArgumentException(
                (where.isEmpty() ? "an object" : where) + " is missing or not what it should be");
    }

    /** A value in its JSON form: a whole number has no fraction. */
    static Object plain(Object value) {
        return value instanceof Double number && isWhole(number)
                ? (Object) number.longValue()
                : value;
    }

    private static boolean isWhole(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15;
    }

    private static void write(double value, JsonGenerator json) {
        if (!Double.isFinite(value)) {
            json.writeNull();
        } else if (isWhole(value)) {
            json.writeNumber((long) value);
        } else {
            json.writeNumber(value);
        }
    }

    private static double[] numbers(JsonNode list) {
        double[] numbers = new double[list.size()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = list.path(i).asDouble(Double.NaN);
        }
        return numbers;
    }

    private interface BedKeys {
        @JsonValue
        String word();
    }

    @JsonPropertyOrder({"what", "unit", "relation", "measured", "expected", "difference"})
    private interface CheckKeys {
        @JsonProperty
        double difference();
    }

    private static final class NumberWriter extends ValueSerializer<Double> {
        /** These have always had fractions; a result must have the same form from every writer. */
        private static final Set<Class<?>> WITH_FRACTION = Set.of(LinkLoad.class, Part.class);

        @Override
        public ValueSerializer<?> createContextual(
                SerializationContext context, @Nullable BeanProperty property) {
            return property != null
                            && WITH_FRACTION.contains(property.getMember().getDeclaringClass())
                    ? new DoubleSerializer(double.class)
                    : this;
        }

        @Override
        public void serialize(Double value, JsonGenerator json, SerializationContext context) {
            write(value, json);
        }
    }

    /** A series has thousands of numbers: none of them becomes an object on its way into JSON. */
    private static final class NumbersWriter extends ValueSerializer<double[]> {
        @Override
        public void serialize(double[] values, JsonGenerator json, SerializationContext context) {
            json.writeStartArray();
            for (double value : values) {
                write(value, json);
            }
            json.writeEndArray();
        }
    }

    private static final class Reader<T> extends ValueDeserializer<T> {
        private final Function<JsonNode, T> of;
        private final T none;

        Reader(Function<JsonNode, T> of, T none) {
            this.of = of;
            this.none = none;
        }

        @Override
        public T deserialize(JsonParser json, DeserializationContext context) {
            return of.apply(context.readTree(json));
        }

        @Override
        public T getEmptyValue(DeserializationContext context) {
            return none;
        }
    }
}
