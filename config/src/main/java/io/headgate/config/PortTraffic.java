package io.headgate.config;

import io.headgate.config.key.Codec;
import io.headgate.config.key.Inline;
import io.headgate.config.key.Known;
import io.headgate.config.key.Place;
import io.headgate.config.key.Quantity;
import io.headgate.config.key.Section;
import io.headgate.config.key.Source;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The priorities, flow control and mechanisms that all ports of a network have in common, with the
 * keys of a switch's port. Values that follow from a link's rate and delay (headroom, length of a
 * pause) are computed for each link.
 *
 * @param said keys with their values as in a file; a mapping is a Map
 */
public record PortTraffic(Map<String, Object> said) {
    /** No flow control, strict priorities by tag. */
    public static final PortTraffic NONE = new PortTraffic(Map.of());

    private static final String FLOW_CONTROL = "flow-control";
    private static final String LINK = "link";

    public PortTraffic {
        said = Collections.unmodifiableMap(new LinkedHashMap<>(said));
    }

    /**
     * A copy with one more key, as in {@code with("buffers.xoff", 60_000)}.
     *
     * @param path the key, or the path to a key of an inner mapping
     * @param value of the type that the key's component has
     * @throws IllegalArgumentException if there is no such key
     */
    public PortTraffic with(String path, Object value) {
        return saying(path, Section.of(End.class).said(path, value));
    }

    /**
     * A copy with one more key of a mechanism that joins each port.
     *
     * @param key of the mechanism's record, or {@code enabled}
     * @param value of the type that the record's component has
     * @throws IllegalArgumentException if there is no such key
     */
    public PortTraffic with(Mechanism<?> mechanism, String key, Object value) {
        String path = mechanism.kind().key() + "." + mechanism.name() + "." + key;
        boolean isSwitch = key.equals(Mechanisms.ENABLED) && value instanceof Boolean;
        return saying(
                path, isSwitch ? value : Section.of(mechanism.configuration()).said(key, value));
    }

    private PortTraffic saying(String path, Object text) {
        Map<String, Object> all = new LinkedHashMap<>(said);
        Map<String, Object> mapping = all;
        String[] keys = path.split("\\.");
        for (int i = 0; i < keys.length - 1; i++) {
            Map<String, Object> inner = new LinkedHashMap<>();
            if (mapping.get(keys[i]) instanceof Map<?, ?> old) {
                old.forEach((key, each) -> inner.put((String) key, each));
            }
            mapping.put(keys[i], inner);
            mapping = inner;
        }
        mapping.put(keys[keys.length - 1], text);
        return new PortTraffic(all);
    }

    /** The settings of one end of a link. */
    @Withers
    public record End(
            @Inline TrafficConfig traffic,
            @Inline FlowControlConfig flowControl,
            @Inline(codec = Mechanisms.OfPort.class) Mechanisms mechanisms)
            implements PortTrafficEndBuilder.With {
        /** An end without flow control that serves priorities strictly. */
        public static final End PLAIN = new End(TrafficConfig.DEFAULT, FlowControlConfig.NONE);

        /** An end where no mechanism has joined. */
        public End(TrafficConfig traffic, FlowControlConfig flowControl) {
            this(traffic, flowControl, Mechanisms.NONE);
        }

        /** Slots that lossless priorities and their pool take of a port's. */
        public int slots() {
            return traffic.lossless().size()
                            * (flowControl.promisedSlots()
                                    + DetourNeeds.of(mechanisms).reservedSlots())
                    + flowControl.sharedSlots();
        }
    }

    /**
     * The settings of an end of a link. Reactions that are not given take no time, as in virtual
     * time.
     *
     * @param delayNs one-way delay of the link, unless the flow control has its own
     * @param slots slots of the port without those of its device's ring, for a pool of no given
     *     size
     * @throws ConfigException with what does not fit such a link
     */
    public End at(long rateBps, int mtuBytes, long delayNs, int slots) {
        List<ConfigProblem> problems = new ArrayList<>();
        Source source =
                new Source() {
                    @Override
                    public void refuse(String at, String found, String allowed) {
                        String path = at.substring(1).replace('/', '.');
                        problems.add(new ConfigProblem("ports", 0, 0, path, found, allowed));
                    }

                    @Override
                    public void refuse(String at) {
                        refuse(at, "what cannot be used", "what its key allows");
                    }
                };
        End end = read(Place.of(source, said), rateBps, mtuBytes, delayNs, slots);
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
        return end;
    }

    /**
     * The end of such a link that the configuration at a place describes; reports what does not
     * fit.
     */
    public static End read(Place place, long rateBps, int mtuBytes, long delayNs, int slots) {
        Known known = Known.of(Map.of("rate", rateBps, "mtu", mtuBytes, "free-slots", slots));
        End end = Section.of(End.class).read(withLink(place, delayNs), known);
        return end == null ? End.PLAIN : end;
    }

    /** Adds what the keys of a single switch's port require and the link already states. */
    private static Place withLink(Place place, long delayNs) {
        Object mode = place.child(FLOW_CONTROL).said();
        if (mode == null || mode.equals("none") || !(place.said() instanceof Map<?, ?> given)) {
            return place;
        }
        Map<Object, Object> link = new LinkedHashMap<>();
        link.put("delay", Quantity.DURATION.format(delayNs));
        link.put("own-reaction", "0ns");
        link.put("peer-reaction", "0ns");
        if (given.get(LINK) instanceof Map<?, ?> own) {
            link.putAll(own);
        }
        Map<Object, Object> all = new LinkedHashMap<>(given);
        all.put(LINK, link);
        return place.saying(all);
    }

    /** The same as maps, lists, texts and numbers, for a report. */
    public Map<String, Object> toMap() {
        return said;
    }

    /** As a key of a network's file; what is said is checked once links are known. */
    public static final class Keys implements Codec<PortTraffic> {
        @Override
        public Map<String, Object> schema() {
            return Section.of(End.class).schema();
        }

        @Override
        public PortTraffic read(Place place, Known known) {
            Map<String, Object> keys = new LinkedHashMap<>();
            for (String key : place.keys()) {
                Object value = place.child(key).said();
                if (value != null) {
                    keys.put(key, value);
                }
            }
            return new PortTraffic(keys);
        }

        @Override
        public Map<String, Object> write(PortTraffic ports, Known known) {
            return ports.said;
        }

        @Override
        public PortTraffic nothing() {
            return NONE;
        }
    }
}
