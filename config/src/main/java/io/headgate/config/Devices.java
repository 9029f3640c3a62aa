package io.headgate.config;

import io.headgate.config.key.Codec;
import io.headgate.config.key.Known;
import io.headgate.config.key.Place;
import io.headgate.config.key.Union;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the kinds of devices have in common in a file. */
final class Devices {
    static final String ALLOWED =
            "one of afpacket, afxdp, tap, pcap, pcap-file, vxlan, memory, virtual, such as"
                    + " {afpacket: veth1}";
    static final String INTERFACE_SAYS =
            "The interface's name. Where it is all that is needed, it may stand instead of the"
                    + " mapping.";
    static final String INTERFACE_PATTERN = "^(?!\\.{1,2}$)[!-$&-.0-9;-~]{1,15}$";
    static final String INTERFACE_ALLOWED =
            "a name of 1 to 15 characters without space, /, : or %, such as veth1";
    static final String NETNS_SAYS = "The named network namespace in which the interface is.";
    static final String NETNS_PATTERN = "^(?!\\.{1,2}$)[A-Za-z0-9._@+-]{1,128}$";
    static final String NETNS_OTHERWISE = "the switch's own";
    static final String NETNS_ALLOWED =
            "a namespace as ip netns lists it: 1 to 128 letters, digits, ., _, @, + or -, such as"
                    + " h1";
    static final String RING_SAYS = "Frames in the ring for each direction.";
    static final String RING_ALLOWED = "a power of two from 64 to 32768, such as 1024";

    static final String TAP_ALLOWED =
            "an interface of 1 to 15 characters, such as tap1, or a mapping such as"
                    + " {interface: tap1, create: false}";
    static final String PCAP_FILE_ALLOWED =
            "a mapping with input, output or both, such as {input: in.pcapng, output:"
                    + " out.pcap}";
    static final String MEMORY_ALLOWED =
            "the pair's name: 1 to 32 letters, digits, ., - or _, such as m1";
    static final String VIRTUAL_ALLOWED =
            "the link's name: 1 to 64 letters, digits, ., - or _, such as h1-s1";

    private Devices() {}

    /** A device in a file: one key, its kind. */
    static final class Kinds extends Union<DeviceConfig> {
        Kinds() {
            super(DeviceConfig.class, DeviceConfig.none());
        }
    }

    /** A path; a relative one starts where the file is. */
    static final class PathCodec implements Codec<Path> {
        @Override
        public Map<String, Object> schema() {
            Map<String, Object> schema = new LinkedHashMap<>();
            schema.put("type", "string");
            schema.put("minLength", 1);
            schema.put("maxLength", 4096);
            return schema;
        }

        @Override
        public @Nullable Path read(Place place, Known known) {
            try {
                return place.resolve(Path.of(String.valueOf(place.said())));
            } catch (InvalidPathException e) {
                place.refuse();
                return null;
            }
        }

        @Override
        public Object write(Path path, Known known) {
            return path.toString();
        }

        @Override
        public Path nothing() {
            return Path.of("");
        }
    }
}
