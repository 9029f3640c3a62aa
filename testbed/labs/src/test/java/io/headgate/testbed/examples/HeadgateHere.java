package io.headgate.testbed.examples;

import io.headgate.testbed.examples.Shell.Ended;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The program of some jars, in this process: a loader of its own finds the mechanisms of these, as
 * a process of {@code headgate --plugins} does.
 */
final class HeadgateHere extends URLClassLoader {
    private static final String HERE = HeadgateHere.class.getPackageName() + ".";

    private static @Nullable HeadgateHere withExamples;

    private HeadgateHere(List<URL> jars) {
        super(jars.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    /** With the jars of these directories, and nothing else. */
    static HeadgateHere of(Path... directories) throws IOException {
        List<URL> jars = new ArrayList<>();
        for (Path directory : directories) {
            try (Stream<Path> files = Files.list(directory)) {
                for (Path file : files.sorted().toList()) {
                    if (file.toString().endsWith(".jar")) {
                        jars.add(file.toUri().toURL());
                    }
                }
            }
        }
        return new HeadgateHere(jars);
    }

    /** What the launcher runs, with the jars of all examples. */
    static synchronized HeadgateHere withExamples() throws IOException {
        HeadgateHere made = withExamples;
        if (made == null) {
            made = of(ExampleBuilds.LIBRARY, ExampleBuilds.all());
            withExamples = made;
        }
        return made;
    }

    /** Tests' own classes of this package are there too, without the mechanisms of tests. */
    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        if (!name.startsWith(HERE)) {
            return super.findClass(name);
        }
        String file = name.substring(HERE.length()) + ".class";
        try (InputStream in = HeadgateHere.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = in.readAllBytes();
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    /** Runs a command. A path among the words is absolute: this process stays where it is. */
    Ended headgate(String... words) throws Exception {
        Map.Entry<?, ?> ended = (Map.Entry<?, ?>) call(CommandHere.class, "run", words);
        return new Ended((Integer) ended.getKey(), (String) ended.getValue());
    }

    /** Calls a static method of a test's class as this loader, the thread's meanwhile, has it. */
    Object call(Class<?> type, String method, String... words) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(this);
        try {
            return loadClass(type.getName())
                    .getMethod(method, String[].class)
                    .invoke(null, (Object) words);
        } catch (InvocationTargetException e) {
            throw new AssertionError(type.getSimpleName() + "." + method, e.getCause());
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
