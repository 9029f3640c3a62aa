package io.headgate.testbed.scenario;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The values of a scenario's parameters, one for each. Immutable. */
public final class Values {
    private final Map<String, Object> values = new LinkedHashMap<>();
    private final Map<String, String> texts = new LinkedHashMap<>();

    /**
     * @param values in the order of the parameters: numbers in the base unit, or words
     */
    public Values(List<Parameter> parameters, List<Object> values) {
        for (int i = 0; i < parameters.size(); i++) {
            Parameter parameter = parameters.get(i);
            this.values.put(parameter.name(), values.get(i));
            this.texts.put(parameter.name(), parameter.format(values.get(i)));
        }
    }

    /** All combinations of the parameters' values; the last parameter changes fastest. */
    public static List<Values> all(List<Parameter> parameters, Map<String, List<Object>> values) {
        List<List<Object>> points = List.of(List.of());
        for (Parameter parameter : parameters) {
            List<List<Object>> longer = new ArrayList<>();
            for (List<Object> point : points) {
                for (Object value : values.getOrDefault(parameter.name(), List.of())) {
                    List<Object> next = new ArrayList<>(point);
                    next.add(value);
                    longer.add(next);
                }
            }
            points = longer;
        }
        return points.stream().map(point -> new Values(parameters, point)).toList();
    }

    private Object get(String name) {
        Object value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("no parameter " + name + " among " + names());
        }
        return value;
    }

    /** A number, in its base unit. */
    public double number(String name) {
        return (Double) get(name);
    }

    /** A whole number, in its base unit. */
    public long whole(String name) {
        return Math.round(number(name));
    }

    /** A whole number that fits an int. */
    public int count(String name) {
        return Math.toIntExact(whole(name));
    }

    public String word(String name) {
        return (String) get(name);
    }

    public List<String> names() {
        return List.copyOf(values.keySet());
    }

    /** A number or a word, for files. */
    public Object value(String name) {
        return get(name);
    }

    /** A value as a person writes it, and as {@code --set} reads it back. */
    public String text(String name) {
        String text = texts.get(name);
        if (text == null) {
            throw new IllegalArgumentException("no parameter " + name + " among " + names());
        }
        return text;
    }

    /** All values as a person writes them, by name. */
    public Map<String, String> texts() {
        return Collections.unmodifiableMap(texts);
    }
}
