package io.headgate.config;

import io.headgate.config.key.Codec;
import io.headgate.config.key.Codecs;
import io.headgate.config.key.Known;
import io.headgate.config.key.Named;
import io.headgate.config.key.Place;
import io.headgate.config.key.Section;
import io.headgate.config.key.Text;
import io.headgate.config.key.Union;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All kinds of devices on the class path, and the codecs of the keys that contain a device. */
public final class Devices {
    static final String FAULTS = "faults";
    static final String FAULTS_ALLOWED = "a mapping, such as {loss: 0.001, delay: 5ms}";
    private static final String FAULTS_PERMANENT =
            "a device is opened either with faults or without; with faults: {} faults can be added"
                    + " later";
    private static final String FAULTS_SAYS =
            "Faults of the frames that the device receives and, under transmit, of those that it"
                    + " transmits. Each direction has random generators of its own.";
    static final String INTERFACE_SAYS =
            "The interface's name. If no other key is needed, the name can be written instead of"
                    + " the mapping.";
    static final String INTERFACE_PATTERN = "^(?!\\.{1,2}$)[!-$&-.0-9;-~]{1,15}$";
    static final String INTERFACE_ALLOWED =
            "a name of 1 to 15 characters without space, /, : or %, such as veth1";
    static final String NETNS_SAYS = "The named network namespace in which the interface is.";
    static final String NETNS_PATTERN = "^(?!\\.{1,2}$)[A-Za-z0-9._@+-]{1,128}$";
    static final String NETNS_OTHERWISE = "the switch's own";
    static final String NETNS_ALLOWED =
            "a namespace as ip netns lists it: 1 to 128 letters, digits, ., _, @, + or -, such as"
                    + " h1";
    static final String RING_SAYS = "Number of frames in the ring of each direction.";
    static final String GSO_SAYS =
            "pass: large TCP frames (up to 64 KB) that the sender leaves to the hardware for"
                    + " segmentation pass unsegmented if the ports at both ends of the flow's path"
                    + " accept them; other ports get segments. Slots are then 68KiB. none: the"
                    + " interface must deliver single frames, and gets single frames.";
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

    private static final SortedMap<String, DeviceKind<?>> ALL = load();

    private Devices() {}

    private static SortedMap<String, DeviceKind<?>> load() {
        SortedMap<String, DeviceKind<?>> all = new TreeMap<>();
        @SuppressWarnings("rawtypes") // a service's class says nothing of its record
        Iterator<DeviceKind> found = ServiceLoader.load(DeviceKind.class).iterator();
        while (found.hasNext()) {
            DeviceKind<?> kind = found.next();
            Class<? extends Record> record = kind.configuration();
            Named named = record.getAnnotation(Named.class);
            String name = named == null ? "" : Section.name(record, named);
            String where = kind.getClass().getName() + ", device \"" + name + "\": ";
            if (named == null) {
                throw new IllegalStateException(where + record.getName() + " is not @Named");
            }
            if (!name.matches(Named.PATTERN)) {
                throw new IllegalStateException(
                        where + "a name is lower case with hyphens, such as \"my-wire\"");
            }
            if (name.equals(FAULTS) || all.containsKey(name)) {
                throw new IllegalStateException(where + "device has this key already");
            }
            // Fails here, before any device is made, if what it declares cannot be used.
            Section.of(record);
            all.put(name, kind);
        }
        return all;
    }

    public static SortedMap<String, DeviceKind<?>> kinds() {
        return new TreeMap<>(ALL);
    }

    /** The kind of a device; null if no kind has its name. */
    public static @Nullable DeviceKind<?> of(DeviceConfig device) {
        return ALL.get(name(device));
    }

    /** The name of its kind. */
    public static String name(DeviceConfig device) {
        Class<?> record = device.kind().getClass();
        Named named = record.getAnnotation(Named.class);
        return named == null ? "" : Section.name(record, named);
    }

    private static List<Class<? extends Record>> records() {
        return ALL.values().stream()
                .<Class<? extends Record>>map(DeviceKind::configuration)
                .toList();
    }

    /** The device that joins a host to a switch, in a file: one key, its kind. */
    static class OfHost extends Union<DeviceConfig> {
        OfHost() {
            super(DeviceConfig.class, records(), DeviceConfig.none());
        }

        @Override
        public Map<String, Object> schema() {
            Map<String, Object> schema = super.schema();
            schema.put("x-noun", "kind of device");
            schema.put("x-more", Mechanisms.IN_JARS);
            schema.put("x-allowed", allowed());
            return schema;
        }

        String allowed() {
            return "one of %s, such as {afpacket: veth1}"
                    .formatted(String.join(", ", kinds().keySet()));
        }
    }

    /** The device of a port, in a file: one key, its kind, and its faults if any. */
    static final class OfPort extends OfHost {
        private final Section<DeviceConfig.Faults> faults = Section.of(DeviceConfig.Faults.class);

        @Override
        String allowed() {
            return super.allowed() + ", and " + FAULTS;
        }

        @Override
        public Map<String, Object> schema() {
            Map<String, Object> ofFaults = new LinkedHashMap<>();
            ofFaults.put("description", FAULTS_SAYS);
            ofFaults.putAll(faults.schema());
            ofFaults.put("x-allowed", FAULTS_ALLOWED);
            ofFaults.put("x-permanent", FAULTS_PERMANENT);
            Map<String, Object> properties = new LinkedHashMap<>();
            Map<String, Object> schema = super.schema();
            if (schema.get("properties") instanceof Map<?, ?> kinds) {
                kinds.forEach((name, kind) -> properties.put((String) name, fixed(kind)));
            }
            properties.put(FAULTS, ofFaults);
            schema.put("properties", properties);
            schema.put("maxProperties", 2);
            return schema;
        }

        private static Map<String, Object> fixed(Object kind) {
            Map<String, Object> schema = new LinkedHashMap<>();
            if (kind instanceof Map<?, ?> said) {
                said.forEach((keyword, value) -> schema.put((String) keyword, value));
            }
            schema.put("x-fixed", "devices are opened at the start");
            return schema;
        }

        @Override
        public @Nullable DeviceConfig read(Place place, Known known) {
            Map<String, Object> rest = new LinkedHashMap<>();
            for (String key : place.keys()) {
                Object said = place.child(key).said();
                rest.put(key, said == null ? Place.BAD : said);
            }
            boolean isFaulty = rest.remove(FAULTS) != null;
            if (rest.size() != 1) {
                if (!rest.isEmpty() || isFaulty) {
                    place.refuse(
                            rest.isEmpty()
                                    ? "faults of no device"
                                    : Text.quote(String.join(" and ", rest.keySet())),
                            allowed());
                }
                return null;
            }
            DeviceConfig device = super.read(place.saying(rest), known);
            Place at = place.child(FAULTS);
            DeviceConfig.Faults what = isFaulty ? faults.read(at, known) : null;
            if (device == null || what == null) {
                return device;
            }
            if (device.isVirtual()) {
                at.refuse(
                        "faults at a link of the virtual test bed",
                        "another kind of device; a link of the test bed has its own faults key");
            } else if (what.transmit() != null && device.mapsSlots()) {
                at.child("transmit")
                        .refuse(
                                "transmit faults at a device that transmits from the switch's own"
                                        + " slots",
                                "receive faults only, or a device that copies frames, such as"
                                        + " afpacket");
            }
            return new DeviceConfig.Faulty(device, what);
        }

        @Override
        public Object write(DeviceConfig device, Known known) {
            if (!(device instanceof DeviceConfig.Faulty faulty)) {
                return super.write(device, known);
            }
            Map<String, Object> written = new LinkedHashMap<>();
            ((Map<?, ?>) super.write(faulty.device(), known))
                    .forEach((kind, said) -> written.put((String) kind, said));
            written.put(FAULTS, faults.write(faulty.faults(), known));
            return written;
        }
    }

    /** A path; a relative one starts where the file is. */
    static final class PathCodec implements Codec<Path> {
        @Override
        public Map<String, Object> schema() {
            return Codecs.ordered("type", "string", "minLength", 1, "maxLength", 4096);
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
