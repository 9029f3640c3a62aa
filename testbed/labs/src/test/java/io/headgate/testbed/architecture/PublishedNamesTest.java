package io.headgate.testbed.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.Mechanism;
import io.headgate.config.key.Key;
import io.headgate.config.key.Named;
import io.headgate.config.key.Section;
import io.headgate.dataplane.counter.CounterId;
import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.counter.PriorityCounter;
import io.headgate.dataplane.memory.DropReason;
import io.headgate.dataplane.openqueue.FabricLayout;
import io.headgate.hostagent.rdma.PerfPlan;
import io.headgate.testbed.lab.column.LabColumn;
import io.headgate.testbed.netns.Tools;
import io.headgate.testbed.scenario.MeasureKind;
import io.headgate.testbed.scenario.SweepFigures;
import io.headgate.testbed.scenario.bed.Recording;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Names that users write, or that their scripts read, follow from names of Java's records,
 * components and constants. They are all in one list here, so that a rename in Java does not change
 * them without a word. {@code -Dheadgate.rewrite=true} writes the list again.
 */
final class PublishedNamesTest {
    private static final Path LIST =
            Path.of("labs/src/test/resources/io/headgate/testbed/architecture/published-names.txt");

    // How often there is each, as several records may have a key, and several enums a label.
    private final SortedMap<String, Integer> names = new TreeMap<>();

    private final List<Class<?>> all = TheProgram.loaded();

    PublishedNamesTest() throws IOException {}

    @Test
    void namesAreThoseOfThePublishedList() throws IOException, ReflectiveOperationException {
        records();
        counters();
        addAll("drop reason", Arrays.stream(DropReason.values()).map(DropReason::name));
        addAll(
                "measure",
                Arrays.stream(MeasureKind.values()).map(kind -> kind.form() + ", " + kind.unit()));
        addAll(
                "lab column",
                Arrays.stream(LabColumn.values())
                        .map(column -> column.of().section() + ": " + column.heading()));
        addAll(
                "distribution",
                Arrays.stream(SweepFigures.OfFlows.values()).map(kind -> kind.of("NAME")));
        addAll("series", Arrays.stream(Recording.Kind.values()).map(kind -> kind.series("NAME")));
        addAll("rdma test", Arrays.stream(PerfPlan.Test.values()).map(PerfPlan.Test::label));
        addAll("program", Arrays.stream(Tools.Tool.values()).map(Tools.Tool::program));
        addAll("stage", Arrays.stream(FabricLayout.Stage.values()).map(FabricLayout.Stage::word));
        keys();
        List<String> made = new ArrayList<>();
        names.forEach((name, times) -> made.add(times == 1 ? name : name + " (" + times + ")"));
        if (Boolean.getBoolean("headgate.rewrite")) {
            Files.write(LIST, made);
            return;
        }
        List<String> published = Files.readAllLines(LIST);
        List<String> differences = new ArrayList<>();
        made.stream()
                .filter(name -> !published.contains(name))
                .forEach(name -> differences.add("+ " + name));
        published.stream()
                .filter(name -> !made.contains(name))
                .forEach(name -> differences.add("- " + name));
        assertThat(differences)
                .as(
                        "names that users or their scripts see, other (+) than in %s (-): a rename"
                                + " in Java changes them. Give the old name explicitly, or, if"
                                + " users shall have the new one, write the list again with"
                                + " -Dheadgate.rewrite=true",
                        LIST)
                .isEmpty();
    }

    private void addAll(String what, Stream<String> of) {
        of.forEach(name -> add(what + " " + name));
    }

    /** The names of mechanisms, and of all other records that have one. */
    private void records() {
        for (Class<?> each : all) {
            if (each.isRecord() && each.isAnnotationPresent(Named.class)) {
                add("record " + Section.name(each, each.getAnnotation(Named.class)));
            }
        }
    }

    private void counters() throws ReflectiveOperationException {
        for (Class<?> each : all) {
            if (each.isEnum() && CounterId.class.isAssignableFrom(each)) {
                for (Object constant : each.getEnumConstants()) {
                    add("counter", ((CounterId) constant).text());
                }
            }
            if (Mechanism.class.isAssignableFrom(each)
                    && !each.isInterface()
                    && each.getEnclosingClass() == null
                    && !Modifier.isAbstract(each.getModifiers())) {
                var constructor = each.getDeclaredConstructor();
                constructor.setAccessible(true);
                ofMechanism((Mechanism<?>) constructor.newInstance());
            }
        }
        Stream.concat(
                        Arrays.stream(PriorityCounter.Ingress.values()).map(one -> one.label(0)),
                        Arrays.stream(PriorityCounter.Egress.values()).map(one -> one.label(0)))
                .forEach(label -> add("counter " + label));
    }

    private void ofMechanism(Mechanism<?> mechanism) throws ReflectiveOperationException {
        String name = mechanism.kind().key() + " " + mechanism.name();
        add("mechanism " + name);
        for (Method method : mechanism.getClass().getMethods()) {
            if (method.getParameterCount() == 0
                    && !method.isBridge()
                    && List.of("counters", "senderCounters", "receiverCounters")
                            .contains(method.getName())) {
                for (Object text : counters(mechanism, method)) {
                    add("counter of " + name + ":", (CounterText) text);
                }
            }
        }
    }

    private static List<?> counters(Mechanism<?> mechanism, Method method)
            throws IllegalAccessException, InvocationTargetException {
        method.setAccessible(true);
        return (List<?>) method.invoke(mechanism);
    }

    private void add(String name) {
        names.merge(name, 1, Integer::sum);
    }

    private void add(String what, CounterText text) {
        add("%s %s, %s".formatted(what, text.label(), text.unit()));
    }

    /** The keys of all records with the words that each may have. */
    private void keys() {
        for (Class<?> each : all) {
            if (each.isRecord() && hasKeys(each)) {
                Class<? extends Record> record = each.asSubclass(Record.class);
                mapping(Section.of(record).schema(), "properties")
                        .forEach((key, schema) -> {
                            add("key " + key);
                            words((Map<?, ?>) schema)
                                    .forEach(word -> add("key " + key + ": " + word));
                        });
            }
        }
    }

    private static boolean hasKeys(Class<?> record) {
        return Arrays.stream(record.getRecordComponents())
                .anyMatch(component -> component.isAnnotationPresent(Key.class));
    }

    private static List<?> words(Map<?, ?> schema) {
        Object own = schema.get("enum");
        return own instanceof List<?> words
                ? words
                : schema.get("items") instanceof Map<?, ?> items
                                && items.get("enum") instanceof List<?> each
                        ? each
                        : List.of();
    }

    private static Map<String, ?> mapping(Map<String, ?> schema, String keyword) {
        Map<String, Object> mapping = new TreeMap<>();
        if (schema.get(keyword) instanceof Map<?, ?> said) {
            said.forEach((key, value) -> mapping.put((String) key, value));
        }
        return mapping;
    }
}
