package io.headgate.testbed.scenario.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LastDefinitionsTest {
    private static final String TEXT =
            """
            name: one
            duration: 100us
            topology: {name: t, link: {rate: 10Gbps}, builder: {single-switch: {hosts: 2}}}
            traffic: [{name: a, from: h1, to: h2}]
            """;

    private final List<String> read = new ArrayList<>();
    private final Definition any = ScenarioReader.define(TEXT, "one");
    private final Definition.Last definitions =
            new Definition.Last(text -> {
                read.add(text);
                return any;
            });

    @Test
    void whatWasReadLastIsNotReadAgain() {
        definitions.of("a");
        definitions.of("b");
        assertThat(definitions.of("a")).isSameAs(any);
        assertThat(read).containsExactly("a", "b");
    }

    @Test
    void ofManyTextsThoseNotAskedForLatelyAreForgotten() {
        definitions.of("first");
        for (int i = 0; i < 100; i++) {
            definitions.of("other " + i);
            definitions.of("asked for again and again");
        }
        definitions.of("other 99");
        assertThat(read).hasSize(102).doesNotHaveDuplicates();
        definitions.of("first");
        assertThat(read).hasSize(103).endsWith("first");
    }
}
