package io.headgate.testbed.architecture;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Which module may know which: the build's dependencies, held also where one brings another. */
class ModuleArchitectureTest {
    private static final JavaClasses ALL =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages("io.headgate");

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
}
