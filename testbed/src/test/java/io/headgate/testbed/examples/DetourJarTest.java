package io.headgate.testbed.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.examples.Shell.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A detour comes in a jar, with nothing of it in the switch: Escape, taken out of this build,
 * compiled against the rest, and added as a jar.
 */
class DetourJarTest {
    private static final Path SOURCES =
            Path.of("../dataplane/src/main/java/io/headgate/dataplane/escape").toAbsolutePath();

    private static final Pattern DIGEST = Pattern.compile("\"digest\" ?: ?\"([0-9a-f]{16})\"");

    @TempDir private static Path directory;

    private static Ended bash(String script, String... arguments)
            throws IOException, InterruptedException {
        return Shell.bash(directory, script, arguments);
    }

    /** The jars of this build in {@code tree}, without Escape, and Escape's own in {@code jars}. */
    @BeforeAll
    static void takesEscapeOut() throws Exception {
        Ended made =
                bash(
                        """
                        path=$("$HEADGATE" class-path)
                        mkdir tree rest apart jars
                        for jar in "${path%/\\*}"/*.jar; do
                            [[ $jar == */headgate-dataplane-* ]] || ln -s "$jar" tree/
                        done
                        (cd rest && "$JAVA_HOME/bin/jar" xf "${path%/\\*}"/headgate-dataplane-*.jar)
                        rm -r rest/io/headgate/dataplane/escape
                        services=META-INF/services/io.headgate.config.Mechanism
                        mkdir -p "apart/${services%/*}"
                        grep -F .escape. "rest/$services" >"apart/$services"
                        sed -i /[.]escape[.]/d "rest/$services"
                        "$JAVA_HOME/bin/jar" cf tree/headgate-dataplane.jar -C rest .
                        "$JAVA_HOME/bin/javac" -proc:none -cp 'tree/*' -d apart "$1"/*.java
                        "$JAVA_HOME/bin/jar" cf jars/escape.jar -C apart .
                        """,
                        SOURCES.toString());
        assertThat(made).isEqualTo(new Ended(0, ""));
    }

    /** What the launcher runs, by another class path. */
    private static Ended headgate(String classPath, String arguments)
            throws IOException, InterruptedException {
        return bash(
                """
                [[ $1 != whole ]] || set -- "$("$HEADGATE" class-path)" "$2"
                "$JAVA_HOME/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx1g \
                    --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
                    --add-exports java.base/jdk.internal.misc=ALL-UNNAMED \
                    -cp "$1" io.headgate.control.cli.Headgate $2
                """,
                classPath,
                arguments);
    }

    @Test
    void aRingWithEscapeInAJarIsToTheBitTheRingOfTheWholeBuild() throws Exception {
        String ring = "reproduce escape-ring --set tokens=none,16 --set duration=6ms --lines";
        Ended apart = headgate("tree/*:jars/*", ring);
        Ended whole = headgate("whole", ring);
        assertThat(digests(apart)).hasSize(2).doesNotHaveDuplicates().isEqualTo(digests(whole));
        assertThat(apart.code()).as(apart.said()).isEqualTo(whole.code()).isZero();
    }

    /** Digests of all runs, sorted: the runs happen at the same time, so their order varies. */
    private static List<String> digests(Ended run) {
        return DIGEST.matcher(run.said())
                .results()
                .map((MatchResult one) -> one.group(1))
                .sorted()
                .toList();
    }

    @Test
    void withoutItsJarSwitchesRunAndKnowNothingOfIt() throws Exception {
        Ended run =
                headgate(
                        "tree/*",
                        "reproduce lossless-incast --set senders=2 --set duration=1ms --lines");
        // With pauses and with credits.
        assertThat(digests(run)).as(run.said()).hasSize(2);
        assertThat(run.code()).isZero();
        Files.writeString(
                directory.resolve("s1.yaml"),
                """
                name: s1
                ports:
                  - {name: p1, device: {tap: t1}, flow-control: pfc, detour: {escape: {tokens: 4}}}
                """);
        // With its jar this would run.
        Ended without = headgate("tree/*", "switch run -c s1.yaml --no-warm-up");
        assertThat(without.said())
                .contains("ports[0].detour.escape: found the unknown mechanism \"escape\"")
                .hasLineCount(1);
        assertThat(without.code()).isEqualTo(2);
    }
}
