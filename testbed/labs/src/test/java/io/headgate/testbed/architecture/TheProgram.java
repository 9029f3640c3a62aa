package io.headgate.testbed.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/** All classes of the program. */
final class TheProgram {
    private static final String ROOT = "io/headgate";

    private TheProgram() {}

    /** Classes with what each of them calls, read once: it takes seconds. */
    static final class Read {
        static final JavaClasses WITH_TESTS = new ClassFileImporter().importPackages("io.headgate");

        static final JavaClasses CLASSES =
                WITH_TESTS.that(
                        describe(
                                "are of the program",
                                one -> isOfTheProgram(one.getSource().orElseThrow().getUri())));

        private Read() {}

        /** Those of some packages and all below these. */
        static JavaClasses in(String... packages) {
            String[] below = new String[packages.length];
            for (int i = 0; i < packages.length; i++) {
                below[i] = packages[i] + "..";
            }
            return CLASSES.that(resideInAnyPackage(below));
        }
    }

    /** The same as this JVM has them, which takes a tenth of the time. */
    static List<Class<?>> loaded() throws IOException {
        ClassLoader loader = TheProgram.class.getClassLoader();
        List<String> files = new ArrayList<>();
        for (URL place : Collections.list(loader.getResources(ROOT))) {
            if (isOfTheProgram(URI.create(place.toString()))) {
                addFiles(place, files);
            }
        }
        List<Class<?>> classes = new ArrayList<>();
        for (String file : files) {
            if (file.endsWith(".class")) {
                String name = file.substring(0, file.length() - ".class".length());
                try {
                    classes.add(Class.forName(name.replace('/', '.'), false, loader));
                } catch (ClassNotFoundException e) {
                    throw new AssertionError(name, e);
                }
            }
        }
        return classes;
    }

    private static void addFiles(URL place, List<String> files) throws IOException {
        if (place.openConnection() instanceof JarURLConnection jar) {
            jar.getJarFile().stream()
                    .map(entry -> entry.getName())
                    .filter(name -> name.startsWith(ROOT + "/"))
                    .forEach(files::add);
            return;
        }
        Path root = Path.of(URI.create(place.toString()));
        try (Stream<Path> all = Files.walk(root)) {
            all.forEach(file -> files.add(ROOT + "/" + root.relativize(file)));
        }
    }

    /** Not of tests, which other modules lend as jars. */
    private static boolean isOfTheProgram(URI place) {
        String at = place.toString();
        return !at.contains("/test-classes/") && !at.contains("-tests.jar");
    }
}
