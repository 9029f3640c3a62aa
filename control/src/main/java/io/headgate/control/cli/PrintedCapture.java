package io.headgate.control.cli;

import io.headgate.config.Reason;
import io.headgate.control.capture.FrameText;
import io.headgate.control.capture.PcapngReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Prints a capture for a person while it runs. The switch writes into a pipe that a separate
 * process reads: a path leads to that process's standard input. The process ignores ^C, TERM and a
 * hang-up, which it also gets if they are sent to the whole group (as {@code timeout} does), until
 * the switch has written everything.
 */
final class PrintedCapture implements AutoCloseable {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss.SSSSSSSSS", Locale.ROOT);
    private static final long NS_PER_S = 1_000_000_000L;
    private static final int JOIN_SECONDS = 5;

    private final Process relay;
    private final Thread printer;

    private PrintedCapture(Process relay, PrintWriter out) {
        this.relay = relay;
        this.printer =
                Thread.ofPlatform().daemon().name("headgate-print").start(() -> print(relay, out));
    }

    /**
     * Begins to print the capture that is written to {@link #path}.
     *
     * @throws CommandFailure if no pipe can be made
     */
    static PrintedCapture to(PrintWriter out) throws CommandFailure {
        try {
            return new PrintedCapture(
                    new ProcessBuilder("sh", "-c", "trap '' HUP INT TERM; exec cat")
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start(),
                    out);
        } catch (IOException e) {
            throw new CommandFailure("cannot start 'cat', which passes frames on: " + Reason.of(e));
        }
    }

    /** The path to which the switch writes. */
    String path() {
        return "/proc/" + relay.pid() + "/fd/0";
    }

    private static void print(Process relay, PrintWriter out) {
        PcapngReader reader = new PcapngReader(relay.getInputStream());
        try {
            for (var packet = reader.next(); packet != null; packet = reader.next()) {
                out.println(line(packet));
                if (relay.getInputStream().available() == 0) {
                    out.flush();
                }
                if (out.checkError()) {
                    break; // the reader of the output has gone
                }
            }
        } catch (IOException e) {
            System.err.println("headgate: the capture ended early: " + Reason.of(e));
        } finally {
            out.flush();
            relay.destroyForcibly();
        }
    }

    private static String line(PcapngReader.Packet packet) {
        Instant time =
                Instant.ofEpochSecond(packet.timeNs() / NS_PER_S, packet.timeNs() % NS_PER_S);
        String comment = packet.comment().lines().findFirst().orElse("");
        return TIME.format(time.atZone(ZoneId.systemDefault()))
                + " "
                + packet.at()
                + (packet.direction().isEmpty() ? "" : " " + packet.direction())
                + "  "
                + FrameText.describe(packet.data(), packet.lengthBytes())
                + (comment.isEmpty() ? "" : ", " + comment);
    }

    /** Waits until all that was written is printed. */
    @Override
    public void close() {
        try {
            relay.getOutputStream().close();
        } catch (IOException e) {
            relay.destroyForcibly();
        }
        try {
            printer.join(TimeUnit.SECONDS.toMillis(JOIN_SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        relay.destroyForcibly();
    }
}
