package io.headgate.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReasonTest {
    @TempDir private Path directory;

    private static String whyNot(Path file) {
        try {
            Files.writeString(file, "x");
            return "written";
        } catch (IOException e) {
            return Reason.of(e);
        }
    }

    @Test
    void saysWhyAFileCannotBeWrittenWithoutNamesOfExceptions() throws IOException {
        Path missing = directory.resolve("none/x");
        assertThat(whyNot(missing)).isEqualTo("there is no " + missing);
        assertThat(whyNot(directory)).isEqualTo("Is a directory");
        Path file = Files.writeString(directory.resolve("f"), "x");
        assertThat(whyNot(file.resolve("x"))).isEqualTo("Not a directory");
        assertThat(Reason.of(new IOException())).isEqualTo("the file system does not say why");
    }

    @Test
    void anExceptionWithoutAMessageIsToldInWordsToo() throws IOException {
        try (ServerSocketChannel ipv4 = ServerSocketChannel.open(StandardProtocolFamily.INET)) {
            assertThatThrownBy(
                            () -> ipv4.bind(new InetSocketAddress(InetAddress.ofLiteral("::1"), 0)))
                    .hasMessage(null)
                    .satisfies(e ->
                            assertThat(Reason.of(e))
                                    .isEqualTo(
                                            "addresses of this family cannot be used here; IPv6 may"
                                                    + " be disabled"));
        }
        assertThat(Reason.of(new UncheckedIOException(new NoSuchFileException("/x"))))
                .isEqualTo("there is no /x");
        assertThat(Reason.of(new UncheckedIOException("all is lost", new IOException())))
                .isEqualTo("all is lost");
        assertThat(Reason.of(new IllegalStateException(null, new IOException("no room"))))
                .isEqualTo("no room");
        assertThat(Reason.of(new IllegalStateException())).isEqualTo("no reason is known");
    }
}
