package io.headgate.testbed.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ConditionalExpressionTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import io.headgate.testbed.lab.own.OwnLabReader;
import io.headgate.testbed.lab.own.OwnLabSpec;
import io.headgate.testbed.lab.rdma.RdmaFlow;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LabSheetTest {
    /** In a headline: what the run says. */
    private static final String ANY = "*";

    private static LabSheet sheet(String lab) {
        return Objects.requireNonNull(LabSheet.of(lab));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"four-port", "incast", "hol", "control", "policy", "deadlock", "ai-fabric"})
    void questionsHaveAnAnswerEachAndDoNotTellIt(String lab) {
        String questions = sheet(lab).questions();
        String all = sheet(lab).with(Map.of(), "INVALID: too much else to do.");
        assertThat(all).contains("## Answers\n\n**This run: INVALID: too much else to do.**\n");
        assertThat(questions).contains("Time: ", "## Questions").doesNotContain("## Answers", "{{");
        String answers = all.substring(questions.length());
        assertThat(numbered(answers)).isEqualTo(numbered(questions)).isGreaterThan(4);
        assertThat(answers).contains("(not in this run)").doesNotContain("{{");
    }

    private static long numbered(String text) {
        return text.lines().filter(line -> line.matches("[0-9]\\. .*")).count();
    }

    @Test
    void theFabricIsAFileWithARingAnIncastAndALinkThatFails() {
        OwnLabSpec lab = OwnLabReader.read(ReadyLab.text("ai-fabric"), "ai-fabric.yaml");
        assertThat(lab.topology().switches()).hasSize(6);
        assertThat(lab.topology().hosts()).hasSize(8);
        assertThat(lab.rdma()).hasSize(10).allMatch(flow -> flow.control() != null);
        assertThat(lab.rdma()).extracting(RdmaFlow::from).contains(0, 1, 2, 3, 4, 5, 6, 7);
        assertThat(lab.orders()).hasSize(2);
        assertThat(lab.warnings()).isEmpty();
    }

    @Test
    void figuresOfTheRunAreWhereTheAnswersAskForThem() {
        Map<String, String> headlines = new LinkedHashMap<>();
        headlines.put("of what the victim asks for, none", "97 %");
        headlines.put("of what the victim asks for, pfc", "48 %");
        headlines.put("of what the victim asks for, credits", "$1 47 %");
        assertThat(sheet("hol").with(headlines, ""))
                .doesNotContain("This run:")
                .contains(
                        "Of this run: **of what the victim asks for, none: 97 %**.",
                        "**of what the victim asks for, pfc: 48 %**",
                        "**of what the victim asks for, credits: $1 47 %**");
    }

    private static String text(String lab) throws IOException {
        try (InputStream in = LabSheet.class.getResourceAsStream("sheet/" + lab + ".md")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"four-port", "incast", "hol", "control", "policy", "deadlock", "ai-fabric"})
    void figuresThatAnswersAskForAreThoseOfALab(String lab) throws Exception {
        List<List<String>> headlines = headlines();
        assertThat(headlines).hasSizeGreaterThan(15);
        Matcher asked = Pattern.compile("\\{\\{([^{}]+)}}").matcher(text(lab));
        int names = 0;
        while (asked.find()) {
            for (String name : asked.group(1).split("\\|")) {
                assertThat(headlines).as(name).anyMatch(words -> begins(words, name));
                names++;
            }
        }
        assertThat(names).isPositive();
    }

    /**
     * Whether a headline can begin so: with its own words, or with one word of the run. A name that
     * a lab's file gives to a measure cannot.
     */
    private static boolean begins(List<String> words, String name) {
        if (words.size() == 1 && words.getFirst().equals(ANY)) {
            return false;
        }
        if (!words.getFirst().equals(ANY)) {
            return bothBegin(words.getFirst(), name);
        }
        int end = 0;
        while (end < name.length() && Character.isLetterOrDigit(name.charAt(end))) {
            end++;
        }
        return end < name.length() && bothBegin(words.get(1), name.substring(end));
    }

    private static boolean bothBegin(String one, String other) {
        return one.startsWith(other) || other.startsWith(one);
    }

    private static List<List<String>> headlines() throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<List<String>> all = new ArrayList<>();
        Map<String, String> constants = new HashMap<>();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null);
                Stream<Path> walk =
                        Files.walk(Path.of("labs/src/main/java/io/headgate/testbed/lab"))) {
            List<Path> files = walk.filter(one -> one.toString().endsWith(".java")).toList();
            JavacTask task =
                    (JavacTask)
                            compiler.getTask(
                                    null,
                                    manager,
                                    null,
                                    null,
                                    null,
                                    manager.getJavaFileObjectsFromPaths(files));
            TreeScanner<Void, String> calls =
                    new TreeScanner<>() {
                        @Override
                        public Void visitMethodInvocation(MethodInvocationTree call, String none) {
                            if (call.getMethodSelect() instanceof MemberSelectTree method
                                    && method.getIdentifier().contentEquals("headline")
                                    && !call.getArguments().isEmpty()) {
                                all.addAll(words(call.getArguments().getFirst(), constants));
                            }
                            return super.visitMethodInvocation(call, none);
                        }
                    };
            List<CompilationUnitTree> units = new ArrayList<>();
            task.parse().forEach(units::add);
            TreeScanner<Void, String> named =
                    new TreeScanner<>() {
                        @Override
                        public Void visitClass(ClassTree type, String outer) {
                            return super.visitClass(type, type.getSimpleName().toString());
                        }

                        @Override
                        public Void visitVariable(VariableTree variable, String type) {
                            if (variable.getModifiers().getFlags().contains(Modifier.STATIC)
                                    && variable.getInitializer() instanceof LiteralTree literal
                                    && literal.getValue() instanceof String text) {
                                constants.put(type + "." + variable.getName(), text);
                            }
                            return super.visitVariable(variable, type);
                        }
                    };
            units.forEach(file -> file.accept(named, ""));
            units.forEach(file -> file.accept(calls, ""));
        }
        for (String lab : List.of("hol", "hol-marks", "rocc", "control", "deadlock")) {
            for (OwnLabSpec run : ReadyLab.read(lab, Map.of())) {
                boolean isChosen = run.derived().stream().anyMatch(one -> one.headline() != null);
                run.derived().stream()
                        .filter(one -> !isChosen || one.headline() != null)
                        .forEach(one -> all.add(List.of(one.name() + ", " + run.run())));
            }
        }
        return all;
    }

    /**
     * What an expression can say, each as its literal parts, and constants of text, with {@link
     * #ANY} between.
     */
    private static List<List<String>> words(ExpressionTree said, Map<String, String> constants) {
        return switch (said) {
            case ConditionalExpressionTree choice ->
                    Stream.of(choice.getTrueExpression(), choice.getFalseExpression())
                            .flatMap(one -> words(one, constants).stream())
                            .toList();
            case BinaryTree sum ->
                    words(sum.getLeftOperand(), constants).stream()
                            .flatMap(left ->
                                    words(sum.getRightOperand(), constants).stream()
                                            .map(right ->
                                                    Stream.concat(left.stream(), right.stream())
                                                            .toList()))
                            .toList();
            case LiteralTree literal -> List.of(List.of(String.valueOf(literal.getValue())));
            case MemberSelectTree name ->
                    List.of(List.of(constants.getOrDefault(name.toString(), ANY)));
            default -> List.of(List.of(ANY));
        };
    }

    @Test
    void labsOfOnesOwnHaveNone() {
        assertThat(LabSheet.of("lab")).isNull();
    }
}
