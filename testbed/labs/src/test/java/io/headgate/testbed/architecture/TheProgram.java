package io.headgate.testbed.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;

/** All classes of the program, read once for all tests that look at them: it takes seconds. */
final class TheProgram {
    static final JavaClasses CLASSES =
            new ClassFileImporter()
                    .withImportOption(new OfTheProgram())
                    .importPackages("io.headgate");

    private TheProgram() {}

    /** Those of some packages and all below these. */
    static JavaClasses in(String... packages) {
        String[] below = new String[packages.length];
        for (int i = 0; i < packages.length; i++) {
            below[i] = packages[i] + "..";
        }
        return CLASSES.that(resideInAnyPackage(below));
    }
}
