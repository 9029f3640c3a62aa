package io.headgate.testbed.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The English of comments, messages, keys and pages: words and shapes of sentences that readers
 * with another first language stumble over, each with what to write instead. A subject, a verb, an
 * object; the number instead of a gesture; the actor by its name.
 */
class PlainWordsTest {
    private static final Map<Pattern, String> REFUSED = new LinkedHashMap<>();

    private static void refuse(String words, String instead) {
        REFUSED.put(Pattern.compile(words), instead);
    }

    static {
        refuse("\\b[Bb]eside\\b", "and, with, next to, in addition to, compared with");
        refuse(
                "(?<!turn it )\\b(?:[Ii]s|[Aa]re|was|were) (?:not )?to"
                        + " (?!an?\\b|the\\b|one\\b|each\\b|all\\b|any\\b|this\\b|that\\b|our\\b)[a-z]+\\b",
                "must, or the verb itself");
        refuse("\\b[Nn]obody\\b", "the actor's name: no port, no test, no caller");
        refuse("\\b[Ww]ho(?:so)?ever\\b", "the actor's name: the caller, the sender");
        refuse(
                "\\b[Ss]o (?:many|much)\\b|\\b[Aa]s (?:many|much)\\b(?![^.;]*\\bas\\b)",
                "N, the number, 'as many X as Y'");
        refuse(
                "\\b(?:is|are|was|were|be|been|being|gets?) told\\b(?! apart)"
                        + "|\\b[Hh]ears? (?:of|nothing)\\b|\\bheard of\\b",
                "receives, is notified, is called");
        refuse(
                "\\b[Ff]or ever\\b|\\banew\\b|\\b[Ll]ikewise\\b|\\b[Mm]end(?:s|ed)?\\b|\\bgo(?:es)? by\\b"
                        + "|\\b[Ff]or want of\\b|\\bin (?:its|his|their) stead\\b|\\banswers? no more\\b",
                "always, again, also, corrects, uses, because X is missing, instead, stopped answering");
        refuse("\\bof (?:no|any) use\\b", "cannot be used");
        refuse(
                "(?:^|[.;:] )Of (?:an?|each|the|two|all|those|one|every|its)\\b",
                "'For each port: …', or the subject first");
        refuse(
                "(?<![Tt]here )\\b(?:is|are) (?:none\\b|no (?!longer|more|less|better|different|fewer|faster"
                        + "|slower|greater|higher|later|earlier)[a-z]+)",
                "is not a, is not one of");
        refuse(
                "\\b(?:[Ss]ince|[Uu]ntil) when\\b",
                "the time since which, or a name such as startNs");
    }

    /**
     * A string, a text block, a comment, or an end of a line that is one; characters are passed.
     */
    private static final Pattern JAVA =
            Pattern.compile(
                    "\"\"\"(?<block>.*?)\"\"\"|\"(?<string>(?:[^\"\\\\\\n]|\\\\.)*+)\""
                            + "|'(?:[^'\\\\]|\\\\.)+'|/\\*\\*?(?<comment>.*?)\\*/|//(?<line>[^\\n]*)",
                    Pattern.DOTALL);

    private static final Pattern TAGS = Pattern.compile("<p>|</?[a-z]+>|\\n\\s*\\*?");
    private static final Pattern SPACE = Pattern.compile("\\s+");

    private static String plain(String text) {
        return SPACE.matcher(TAGS.matcher(text).replaceAll(" ")).replaceAll(" ").strip();
    }

    /**
     * Comments and strings, each whole: parts that {@code +} joins, lines that follow each other.
     */
    private static List<String> ofJava(String source) {
        List<String> texts = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        String kind = "";
        int end = 0;
        Matcher each = JAVA.matcher(source);
        while (each.find()) {
            String between = source.substring(end, each.start()).strip();
            String found = "";
            String now = "";
            for (String name : List.of("block", "string", "comment", "line")) {
                if (each.group(name) != null) {
                    found = each.group(name);
                    now = name;
                }
            }
            boolean goesOn =
                    now.equals(kind)
                            && between.equals(now.equals("string") ? "+" : "")
                            && (now.equals("string") || now.equals("line"));
            if (!goesOn) {
                texts.add(plain(text.toString()));
                text.setLength(0);
            }
            text.append(found).append(now.equals("line") ? " " : "");
            kind = now;
            end = each.end();
        }
        texts.add(plain(text.toString()));
        return texts;
    }

    private static List<String> texts(Path file) throws IOException {
        String text = Files.readString(file);
        return file.toString().endsWith(".java")
                ? ofJava(text)
                : Stream.of(text.split("\\n\\s*\\n")).map(PlainWordsTest::plain).toList();
    }

    private static List<String> refusedIn(String text) {
        List<String> refused = new ArrayList<>();
        REFUSED.forEach((pattern, instead) -> {
            Matcher matcher = pattern.matcher(text);
            while (matcher.find()) {
                int from = Math.max(0, matcher.start() - 40);
                int to = Math.min(text.length(), matcher.end() + 40);
                refused.add("\"…%s…\": write %s".formatted(text.substring(from, to), instead));
            }
        });
        return refused;
    }

    private static List<Path> files() throws IOException {
        try (Stream<Path> top = Files.list(Path.of(".."));
                Stream<Path> files =
                        top.filter(path -> !Objects.toString(path.getFileName()).startsWith("."))
                                .flatMap(PlainWordsTest::below)) {
            return files.filter(path ->
                            path.toString().matches(".*\\.(java|md|yaml|lua)")
                                    && !path.endsWith("PlainWordsTest.java"))
                    .toList();
        }
    }

    private static Stream<Path> below(Path path) {
        if (path.endsWith("target") || path.endsWith("results") || Files.isSymbolicLink(path)) {
            return Stream.empty();
        }
        if (!Files.isDirectory(path)) {
            return Stream.of(path);
        }
        try (Stream<Path> files = Files.list(path)) {
            return files.toList().stream().flatMap(PlainWordsTest::below);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void noSentenceHasARefusedWord() throws IOException {
        List<Path> files = files();
        assertThat(files).hasSizeGreaterThan(1500);
        List<String> refused = new ArrayList<>();
        for (Path file : files) {
            for (String text : texts(file)) {
                refusedIn(text).forEach(said -> refused.add(file + ": " + said));
            }
        }
        assertThat(refused).isEmpty();
    }

    /** What it finds, and what it lets pass. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/** Whoever asks. */ | 1",
                "// Rates are to // be set. | 1",
                "f(\"for \" + \"want of room\"); | 1",
                "/** As many as there are slots. */ int nobody; | 0",
                "/** There is no room; the length is no longer known. */ | 0",
                "'\"'; f(\"a\", \"b\"); /* goes\\n * by */ | 1",
                "/** Of each port, the rate. Of its queues one. */ | 2",
            })
    void findsWordsInCommentsAndStringsAlone(String source, int refused) {
        assertThat(
                        ofJava(source.replace("\\n", "\n").replace("// be", "\n// be")).stream()
                                .flatMap(text -> refusedIn(text).stream()))
                .hasSize(refused);
    }
}
