package io.headgate.testbed.architecture;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/** The sources of all modules: methods that fit on a screen, packages that a reader can know. */
class FormTest {
    private static final int MOST_LINES = 60;

    /** A package of more is two rooms. */
    private static final int MOST_CLASSES = 30;

    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        try (Stream<Path> modules = Files.walk(Path.of(".."), 2)) {
            for (Path main : modules.map(module -> module.resolve("src/main/java")).toList()) {
                if (Files.isDirectory(main)) {
                    try (Stream<Path> files = Files.walk(main)) {
                        files.filter(file -> file.toString().endsWith(".java"))
                                .forEach(sources::add);
                    }
                }
            }
        }
        assertThat(sources).hasSizeGreaterThan(1000);
        return sources;
    }

    @Test
    void noPackageHasTooManyClasses() throws IOException {
        assertThat(
                        sources().stream()
                                .filter(file -> !file.endsWith("package-info.java"))
                                .collect(groupingBy(Path::getParent, counting())))
                .allSatisfy((room, size) ->
                        assertThat(size).as(room.toString()).isLessThanOrEqualTo(MOST_CLASSES));
    }

    @Test
    void noMethodIsTooLong() throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> tooLong = new ArrayList<>();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task =
                    (JavacTask)
                            compiler.getTask(
                                    null,
                                    files,
                                    null,
                                    List.of("-proc:none"),
                                    null,
                                    files.getJavaFileObjectsFromPaths(sources()));
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            for (CompilationUnitTree unit : task.parse()) {
                new TreeScanner<Void, Void>() {
                    @Override
                    public Void visitMethod(MethodTree method, Void nothing) {
                        long lines =
                                1
                                        + unit.getLineMap()
                                                .getLineNumber(
                                                        positions.getEndPosition(unit, method))
                                        - unit.getLineMap()
                                                .getLineNumber(
                                                        positions.getStartPosition(unit, method));
                        if (lines > MOST_LINES) {
                            tooLong.add(
                                    unit.getSourceFile().getName()
                                            + ": "
                                            + method.getName()
                                            + ", "
                                            + lines
                                            + " lines");
                        }
                        return super.visitMethod(method, null);
                    }
                }.scan(unit, null);
            }
        }
        assertThat(tooLong).isEmpty();
    }

    /** Some exceptions have no message: a person would read "null". */
    @Test
    void whyAnExceptionCameIsAskedOfOneClass() throws IOException {
        Pattern taken = Pattern.compile("String\\.valueOf\\([\\w.()]+\\.getMessage\\(\\)\\)");
        Pattern named = Pattern.compile("\"\\s*\\+\\s*e(?:\\s*\\+\\s*\\w+)?,\\s*e\\)");
        for (Path source : sources()) {
            assertThat(Files.readString(source))
                    .as("%s: Reason.of has words for every exception", source)
                    .doesNotContainPattern(taken)
                    .doesNotContainPattern(named);
        }
    }
}
