package io.headgate.perf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.perf.forwarding.BenchPlan;
import io.headgate.testbed.virtual.VirtualRun;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Benchmarks need no lab and no experiment. Their compiler does not have those classes; that of
 * their tests does, which run the whole program.
 */
class NamedClassesTest {
    private static final Pattern NAME = Pattern.compile("io/headgate/testbed/[\\w/]+");

    private final Set<String> named = new TreeSet<>();

    @Test
    void benchmarksAndTheirTestsNameClassesOfTheSimulationAlone() throws Exception {
        for (Class<?> one : List.of(BenchPlan.class, NamedClassesTest.class)) {
            read(Path.of(place(one).toURI()));
        }
        assertThat(named).contains("io.headgate.testbed.virtual.VirtualNetwork");
        URL simulation = place(VirtualRun.class);
        for (String name : named) {
            assertThat(place(Class.forName(name))).as(name).isEqualTo(simulation);
        }
    }

    private static URL place(Class<?> of) {
        return of.getProtectionDomain().getCodeSource().getLocation();
    }

    private void read(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(one -> one.toString().endsWith(".class")).toList()) {
                for (PoolEntry entry : ClassFile.of().parse(file).constantPool()) {
                    if (entry instanceof Utf8Entry text) {
                        NAME.matcher(text.stringValue())
                                .results()
                                .forEach(name -> named.add(name.group().replace('/', '.')));
                    }
                }
            }
        }
    }
}
