package io.headgate.testbed.architecture;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaFieldAccess;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaMethodReference;
import io.headgate.config.key.Key;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which module may know which: the build's dependencies, held also where one brings another. */
abstract class ModuleArchitecture {
    private static final JavaClasses ALL = TheProgram.Read.CLASSES;

    /** Keys that are read by their place in a file, or that only the defaults of others follow. */
    private static final List<String> READ_OTHERWISE =
            List.of(
                    "DcqcnConfig.parameters",
                    "CodePoints.values",
                    "TcdConfig.epsilon",
                    "TcdConfig.reactionNs",
                    "ScenarioFile.topology");

    @Test
    void modulesDependAsTheArchitectureSays() {
        assertThat(ALL.containPackage("io.headgate.config")).isTrue();
        assertThat(ALL.containPackage("io.headgate.dataplane")).isTrue();
        layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage("io.headgate..")
                .withOptionalLayers(true)
                .layer("config")
                .definedBy("io.headgate.config..")
                .layer("dataplane")
                .definedBy("io.headgate.dataplane..")
                .layer("hostagent")
                .definedBy("io.headgate.hostagent..")
                .layer("control")
                .definedBy("io.headgate.control..")
                .layer("testbed")
                .definedBy("io.headgate.testbed..")
                .layer("perf")
                .definedBy("io.headgate.perf..")
                .whereLayer("config")
                .mayNotAccessAnyLayer()
                .whereLayer("dataplane")
                .mayOnlyAccessLayers("config")
                .whereLayer("hostagent")
                .mayOnlyAccessLayers("dataplane", "config")
                .whereLayer("control")
                .mayOnlyAccessLayers("dataplane", "hostagent", "config")
                .whereLayer("testbed")
                .mayOnlyAccessLayers("dataplane", "hostagent", "control", "config")
                .check(ALL);
    }

    /**
     * Every key of switches, hosts, ports and mechanisms is read by the code that it configures.
     */
    @Test
    void everyConfigurationKeyIsAskedForBySomeCode() {
        List<String> unread = new ArrayList<>();
        int keys = 0;
        for (JavaClass each : ALL) {
            RecordComponent[] components =
                    each.isRecord() ? each.reflect().getRecordComponents() : new RecordComponent[0];
            for (RecordComponent component : components) {
                if (component.isAnnotationPresent(Key.class)) {
                    keys++;
                    if (readers(each.getMethod(component.getName())).isEmpty()) {
                        unread.add(each.getSimpleName() + "." + component.getName());
                    }
                }
            }
        }
        assertThat(keys).isGreaterThan(200);
        assertThat(unread).containsExactlyInAnyOrderElementsOf(READ_OTHERWISE);
    }

    /**
     * Code units of the program that ask for a component, but what only copies, compares or shows
     * its record.
     */
    private static List<String> readers(JavaMethod accessor) {
        Stream<JavaCodeUnit> calls =
                accessor.getCallsOfSelf().stream().map(JavaMethodCall::getOrigin);
        Stream<JavaCodeUnit> references =
                accessor.getReferencesToSelf().stream().map(JavaMethodReference::getOrigin);
        Stream<JavaCodeUnit> fields =
                accessor.getOwner().getField(accessor.getName()).getAccessesToSelf().stream()
                        .map(JavaFieldAccess::getOrigin);
        return Stream.of(calls, references, fields)
                .flatMap(origins -> origins)
                .filter(unit -> ALL.contain(unit.getOwner().getName()))
                .filter(unit -> !unit.equals(accessor))
                .filter(unit ->
                        !unit.isConstructor() || !unit.getOwner().equals(accessor.getOwner()))
                .filter(unit -> !unit.getOwner().getName().contains("Builder"))
                .map(JavaCodeUnit::getFullName)
                .toList();
    }
}
