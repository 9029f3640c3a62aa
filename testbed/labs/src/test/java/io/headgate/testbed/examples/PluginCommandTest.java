package io.headgate.testbed.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher makes a jar of an example and of what is changed in it, without a build tool. */
class PluginCommandTest {
    @TempDir private Path directory;
    private String said = "";

    private int launch(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("../headgate", "plugin"));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("HEADGATE_NO_BUILD", "1");
        Process process = builder.directory(new File(".")).start();
        said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor();
    }

    @Test
    void anExampleBecomesAJarThatNamesItsClass() throws Exception {
        String mine = directory.resolve("mine").toString();
        assertThat(launch("new", mine, "threshold")).as(said).isZero();
        assertThat(launch("new", mine)).isEqualTo(2);
        assertThat(said).startsWith("headgate: " + mine + " is there already;");
        assertThat(launch("build", mine)).as(said).isZero();
        assertThat(said).contains("--plugins " + mine + "/target/plugins");
        try (ZipFile jar = new ZipFile(mine + "/target/plugins/mine.jar")) {
            assertThat(jar.getEntry("META-INF/services/io.headgate.config.Mechanism")).isNotNull();
            assertThat(jar.getEntry("example/BurstFloor.class")).isNotNull();
            assertThat(jar.stream().noneMatch(one -> one.getName().endsWith(".java"))).isTrue();
        }
        Files.writeString(directory.resolve("mine/src/example/BurstFloor.java"), "class Half {");
        assertThat(launch("build", mine)).isEqualTo(2);
        assertThat(said).contains("BurstFloor.java:1: error").contains("mine does not compile.");
    }

    @Test
    void whatIsNoPluginIsRefusedInASentence() throws Exception {
        assertThat(launch("new", directory + "/x", "../../labs")).isEqualTo(2);
        assertThat(said).startsWith("headgate: there is no example '../../labs'; there are ");
        assertThat(launch("build", directory.toString())).isEqualTo(2);
        assertThat(said).contains("has no directory src; 'headgate plugin new ");
        assertThat(launch("destroy")).isEqualTo(2);
        assertThat(said).startsWith("headgate: usage: headgate plugin new DIR [EXAMPLE]");
    }
}
