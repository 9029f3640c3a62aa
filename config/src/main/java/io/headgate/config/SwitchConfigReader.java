package io.headgate.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a switch configuration from YAML 1.2 (or JSON, which is YAML). Whatever is wrong is told in
 * one {@link ConfigException}, all of it at once; nothing else is thrown.
 */
public final class SwitchConfigReader {
    static final String SMALLEST =
            "a mapping with at least name and ports, such as"
                    + " {name: s1, ports: [{name: p1, device: {afpacket: veth1}}]}";

    private static final int MAX_BYTES = 4 << 20;

    private static final ConfigSchema SCHEMA = ConfigSchema.load();

    private SwitchConfigReader() {}

    /**
     * Reads a file. Relative paths in it start where the file is.
     *
     * @throws ConfigException with everything that is wrong
     */
    public static SwitchConfig read(Path file) {
        String text = readText(file);
        return read(text, file.toString(), file.toAbsolutePath().getParent());
    }

    /**
     * Reads a text. Relative paths in it stay as they are.
     *
     * @param name what to call the text in messages, such as its file's name
     * @throws ConfigException with everything that is wrong
     */
    public static SwitchConfig read(String text, String name) {
        return read(text, name, null);
    }

    private static SwitchConfig read(String text, String name, @Nullable Path directory) {
        Problems problems = new Problems(name);
        if (text.length() > YamlReader.MAX_CHARACTERS) {
            problems.add("more than 4 MiB", "at most 4 MiB");
            throw problems.toException();
        }
        YamlNode tree = YamlReader.read(text, name, problems);
        if (!(tree instanceof YamlNode.Mapping root)) {
            problems.add(tree.line(), tree.column(), "", tree.describe(), SMALLEST);
            throw problems.toException();
        }
        Set<String> bad = SCHEMA.check(root, problems);
        SwitchBinder binder = new SwitchBinder(root, bad, SCHEMA, problems, directory);
        SwitchConfig config = binder.bind();
        new SwitchChecks(root, config, binder, problems).run();
        problems.throwIfAny();
        return config;
    }

    private static String readText(Path file) {
        Problems problems = new Problems(file.toString());
        if (Files.isDirectory(file)) {
            problems.add("a directory", "a YAML file");
            throw problems.toException();
        }
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MAX_BYTES + 1);
        } catch (NoSuchFileException e) {
            problems.add("no such file", "a YAML file that exists");
            throw problems.toException();
        } catch (IOException e) {
            String reason = e.getMessage() == null ? e.toString() : e.getMessage();
            problems.add(
                    "a file that cannot be read (" + Text.shorten(reason) + ")", "a readable file");
            throw problems.toException();
        }
        if (bytes.length > MAX_BYTES) {
            problems.add("more than 4 MiB", "at most 4 MiB");
            throw problems.toException();
        }
        return decode(bytes, problems);
    }

    private static String decode(byte[] bytes, Problems problems) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length);
        CoderResult result =
                StandardCharsets.UTF_8
                        .newDecoder()
                        .onMalformedInput(CodingErrorAction.REPORT)
                        .onUnmappableCharacter(CodingErrorAction.REPORT)
                        .decode(in, out, true);
        try {
            if (result.isError()) {
                result.throwException();
            }
        } catch (CharacterCodingException e) {
            int line = 1;
            int lineStart = 0;
            for (int i = 0; i < in.position(); i++) {
                if (bytes[i] == '\n') {
                    line++;
                    lineStart = i + 1;
                }
            }
            problems.add(
                    line,
                    in.position() - lineStart + 1,
                    "",
                    String.format("the byte 0x%02x, which is not UTF-8", bytes[in.position()]),
                    "text in UTF-8");
            throw problems.toException();
        }
        return out.flip().toString();
    }
}
