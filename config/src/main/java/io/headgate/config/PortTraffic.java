package io.headgate.config;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import tools.jackson.databind.json.JsonMapper;

/**
 * What all ports of a network have in common of priorities and flow control, in the words of a
 * switch's port. What follows from a link's rate and delay (headroom, length of a pause) is worked
 * out for each link. A value: two that say the same in the same order are equal.
 *
 * @param text a mapping in JSON, as {@link #of} makes it
 */
public record PortTraffic(String text) {
    /** The published schema; another file's schema may hold it as {@code $ref}. */
    public static final ConfigSchema SCHEMA =
            ConfigSchema.load(
                    PortTraffic.class, "headgate-ports.schema.json", SwitchConfigReader.SCHEMA);

    /** No flow control, strict priorities by tag. */
    public static final PortTraffic NONE = new PortTraffic("{}");

    private static final JsonMapper JSON = new JsonMapper();
    private static final String HERE = "";

    /** What one end of a link does. */
    public record End(TrafficConfig traffic, FlowControlConfig flowControl) {
        /** An end without flow control that serves priorities strictly. */
        public static final End PLAIN = new End(TrafficConfig.DEFAULT, FlowControlConfig.NONE);

        /** Slots that lossless priorities and their pool take of a port's. */
        public int slots() {
            FlowControlConfig.Buffers buffers = flowControl.buffers();
            FlowControlConfig.Credits credits = flowControl.credits();
            int lossless = traffic.lossless().size();
            if (buffers != null) {
                return lossless * buffers.promisedSlots() + buffers.sharedSlots();
            }
            return credits == null ? 0 : lossless * credits.bufferSlots();
        }
    }

    /**
     * Reads a text, such as <code>{flow-control: pfc, buffers: {xoff: 800KB, xon: 770KB}}</code>.
     *
     * @throws ConfigException with everything that the schema does not allow
     */
    public static PortTraffic of(String yaml) {
        YamlConfig read = YamlConfig.read(yaml, "ports", SCHEMA);
        read.throwIfAny();
        return bind(read, HERE);
    }

    /** Reads what is part of a file; {@link #NONE} where there is nothing usable. */
    public static PortTraffic bind(YamlConfig yaml, String at) {
        YamlNode node = yaml.node(at);
        return node instanceof YamlNode.Mapping
                ? new PortTraffic(
                        JSON.writeValueAsString(Objects.requireNonNull(node.toPlain(), at)))
                : NONE;
    }

    /** Adds to a file's problems what does not fit a link of this rate and delay. */
    public static void check(YamlConfig yaml, String at, long rateBps, int mtuBytes, long delayNs) {
        FlowControlChecks checks =
                new FlowControlChecks(yaml, port(yaml, at, rateBps, mtuBytes, delayNs, 0), at);
        checks.run();
    }

    /**
     * What an end of a link does. Reactions that are not given take no time, as in virtual time.
     *
     * @param delayNs of the link, one way, unless the text says otherwise
     * @param slots what the port has beside its device's ring, for a pool of no given size
     * @throws ConfigException with what does not fit such a link
     */
    public End at(long rateBps, int mtuBytes, long delayNs, int slots) {
        YamlConfig yaml = YamlConfig.read(text, "ports", SCHEMA);
        PortConfig port = port(yaml, HERE, rateBps, mtuBytes, delayNs, slots);
        new FlowControlChecks(yaml, port, HERE).run();
        yaml.throwIfAny();
        return new End(port.traffic(), port.flowControl());
    }

    private static PortConfig port(
            YamlConfig yaml, String at, long rateBps, int mtuBytes, long delayNs, int slots) {
        TrafficBinder binder =
                new TrafficBinder(
                        yaml, at, rateBps, mtuBytes, new FlowControlConfig.Link(delayNs, 0, 0));
        TrafficConfig traffic = binder.traffic();
        return new PortConfig(
                "port",
                new DeviceConfig.Virtual("port"),
                rateBps,
                mtuBytes,
                PortConfig.VlanConfig.DEFAULT,
                ConfigDefaults.QUEUE_LIMIT_BYTES,
                Long.MAX_VALUE,
                Integer.MAX_VALUE,
                List.of(),
                traffic,
                binder.flowControl(traffic, slots));
    }

    /** The same as maps, lists, texts and numbers, for a report. */
    public Map<String, Object> toMap() {
        return JSON.readerForMapOf(Object.class).readValue(text);
    }
}
