package io.headgate.config.read;

import static io.headgate.config.key.Quantity.DURATION;
import static io.headgate.config.key.Quantity.RATE;
import static io.headgate.config.key.Quantity.SIZE;

import io.headgate.config.DetourDeclaration;
import io.headgate.config.DetourNeeds;
import io.headgate.config.FlowControlConfig;
import io.headgate.config.FrameGrowth;
import io.headgate.config.Mechanism;
import io.headgate.config.key.Allowed;
import io.headgate.config.key.Checked;
import io.headgate.config.key.Fixed;
import io.headgate.config.key.Key;
import io.headgate.config.key.Known;
import io.headgate.config.key.Named;
import io.headgate.config.key.Otherwise;
import io.headgate.config.key.Place;
import io.headgate.config.key.Quantity;
import io.headgate.config.key.Says;
import java.util.List;

/** Mechanisms of every kind, as a researcher's own jar has them. */
public final class TestMechanisms {
    private TestMechanisms() {}

    /** How much it adds. */
    public record Growth(
            @Key(min = "0", max = "200", absent = "100") @Says("Bytes that it adds.") int bytes) {}

    /** A congestion point that adds to frames. */
    public static final class Grower implements FrameGrowth.Grower<Growth> {
        @Override
        public String name() {
            return "grower";
        }

        @Override
        public Kind kind() {
            return Kind.CONGESTION_POINT;
        }

        @Override
        public String says() {
            return "Adds to frames.";
        }

        @Override
        public Class<Growth> configuration() {
            return Growth.class;
        }

        @Override
        public int growsBytes(Growth configuration) {
            return configuration.bytes();
        }
    }

    /** Marks at random between two lengths. */
    public record Red(
            @Key(quantity = SIZE, min = "1kB", max = "1GB", absent = "100kB")
                    @Says("No frame is marked below this length.")
                    long kminBytes,
            @Key(quantity = SIZE, min = "1kB", max = "1GB")
                    @Says("All frames are marked above this length.")
                    @Otherwise("four times kmin")
                    long kmaxBytes,
            @Key(min = "0", max = "1", absent = "0.1", example = "0.2")
                    @Says("How likely a frame is marked just below kmax.")
                    double pmax,
            @Key(quantity = DURATION, min = "1us", max = "1s")
                    @Says("The time over which the length is averaged.")
                    @Allowed("a time such as 100us, from 1us to 1s")
                    @Otherwise("the time in which the line rate drains kmin")
                    long averageNs,
            @Key(min = "1", max = "8", absent = "8")
                    @Says("How many queues it watches.")
                    @Fixed("its tables are made at the start")
                    int queues)
            implements Checked {
        static long kmaxBytes(Known known) {
            return 4 * known.number("kmin");
        }

        static long averageNs(Known known) {
            return known.number("kmin") * 8_000_000_000L / known.number("rate");
        }

        @Override
        public void check(Known known, Place place) {
            if (kmaxBytes < kminBytes) {
                place.child("kmax")
                        .refuse(
                                Quantity.SIZE.format(kmaxBytes),
                                "at least kmin, which is " + Quantity.SIZE.format(kminBytes));
            }
        }
    }

    /** Of {@link Red}. */
    public static final class RedMechanism implements Mechanism<Red> {
        @Override
        public String name() {
            return "red";
        }

        @Override
        public Kind kind() {
            return Kind.CONGESTION_POINT;
        }

        @Override
        public String says() {
            return "Marks frames at random while a queue is long (Floyd and Jacobson, 1993).";
        }

        @Override
        public Class<Red> configuration() {
            return Red.class;
        }
    }

    /** Says what its mechanism is called. */
    @Named(value = "marker", says = "Marks all.")
    public record Mark(@Key(min = "0", max = "7", absent = "0") @Says("Which.") int priority) {}

    /** A mechanism below another interface than its own, as a module's are. */
    abstract static class MarkingMechanism<C extends Record> implements Mechanism<C> {
        @Override
        public Kind kind() {
            return Kind.CONGESTION_POINT;
        }
    }

    /** Of {@link Mark}; not registered. */
    static final class Marker extends MarkingMechanism<Mark> {}

    /** One whose class says nothing of a record. */
    static final class OfNoRecord<C extends Record> extends MarkingMechanism<C> {}

    /** One whose record says nothing of its name. */
    static final class OfNoName extends MarkingMechanism<Rate> {}

    /** Nothing but a rate. */
    public record Rate(
            @Key(quantity = RATE, min = "1Mbps", max = "400Gbps", absent = "1Gbps")
                    @Says("How fast.")
                    long rateBps) {}

    /** A mechanism of any kind that is a rate. */
    public abstract static class RateMechanism implements Mechanism<Rate> {
        private final String name;
        private final Kind kind;

        RateMechanism(String name, Kind kind) {
            this.name = name;
            this.kind = kind;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public Kind kind() {
            return kind;
        }

        @Override
        public String says() {
            return "Does something at a rate.";
        }

        @Override
        public Class<Rate> configuration() {
            return Rate.class;
        }
    }

    /** At a port: watches. */
    public static final class Meter extends RateMechanism {
        public Meter() {
            super("meter", Kind.CONGESTION_POINT);
        }
    }

    /** At a link. */
    public static final class Token extends RateMechanism {
        public Token() {
            super("token", Kind.LINK_PROTOCOL);
        }
    }

    /** Queues. */
    public static final class Lottery extends RateMechanism {
        public Lottery() {
            super("lottery", Kind.QUEUES);
        }
    }

    /** Other queues. */
    public static final class Calendar extends RateMechanism {
        public Calendar() {
            super("calendar", Kind.QUEUES);
        }
    }

    /** What a detour may need. */
    public record Way(
            @Key(unit = "bytes", min = "0", max = "16", absent = "4")
                    @Says("How long its header is.")
                    int grow,
            @Key(unit = "slots", min = "0", max = "1024", absent = "16")
                    @Says("Slots for frames that come by it.")
                    int slots,
            @Key(unit = "frames", min = "0", max = "1024", absent = "8")
                    @Says("Frames that it may bring in by each other port.")
                    int brings) {}

    /** Past the queues, with pauses of each priority. */
    public static final class Bypass implements DetourDeclaration<Way> {
        @Override
        public String name() {
            return "bypass";
        }

        @Override
        public String says() {
            return "Moves frames.";
        }

        @Override
        public Class<Way> configuration() {
            return Way.class;
        }

        @Override
        public DetourNeeds needs(Way way) {
            return new DetourNeeds(
                    way.grow, way.slots, way.brings, List.of(FlowControlConfig.Mode.PFC), false);
        }
    }

    /** At a buffer. */
    public static final class Fair extends RateMechanism {
        public Fair() {
            super("fair", Kind.THRESHOLD);
        }
    }

    /** At a switch. */
    public static final class Crossbar extends RateMechanism {
        public Crossbar() {
            super("crossbar", Kind.DOMAIN);
        }
    }

    /** At a host. */
    public static final class FixedRate extends RateMechanism {
        public FixedRate() {
            super("fixed-rate", Kind.RATE_CONTROL);
        }
    }
}
