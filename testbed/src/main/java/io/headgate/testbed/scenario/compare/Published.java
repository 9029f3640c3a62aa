package io.headgate.testbed.scenario.compare;

import io.headgate.config.FlowControlConfig;
import io.headgate.config.Mechanism;
import io.headgate.config.Mechanisms;
import io.headgate.config.PortTraffic;
import io.headgate.dataplane.congestion.Fecn;
import io.headgate.dataplane.congestion.Red;
import io.headgate.dataplane.congestion.Rocc;
import io.headgate.dataplane.congestion.pcn.Pcn;
import io.headgate.dataplane.congestion.pi.Pi;
import io.headgate.dataplane.congestion.pi.PiConfig;
import io.headgate.dataplane.congestion.qcn.Qcn;
import io.headgate.dataplane.frame.Ethernet;
import io.headgate.dataplane.telemetry.Telemetry;
import io.headgate.hostagent.rate.Dcqcn;
import io.headgate.hostagent.rate.Dctcp;
import io.headgate.hostagent.rate.RoccReactionMechanism;
import io.headgate.hostagent.rate.hpcc.Hpcc;
import io.headgate.hostagent.rate.infiniband.IbCc;
import io.headgate.hostagent.rate.pcn.PcnControl;
import io.headgate.hostagent.rate.qcn.QcnControl;
import io.headgate.hostagent.rate.swift.Swift;
import io.headgate.hostagent.rate.timely.Timely;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * Controls with the parameters of their papers; steps and thresholds that a paper has for one rate
 * of links grow with the rate.
 */
public enum Published implements Controller {
    ROCC {
        @Override
        public Mechanisms.Use use(long rateBps) {
            return made(new RoccReactionMechanism(), rateBps, Map.of());
        }

        @Override
        public PortTraffic ports(PortTraffic lossless, long rateBps) {
            return lossless.with(new Rocc(), PRIORITIES, WATCHED);
        }

        @Override
        public double queueKb(int senders, long rateBps, double roundTripUs) {
            return rateBps < FAST_BPS ? REFERENCE_KB : FAST_REFERENCE_KB;
        }
    },
    DCQCN {
        @Override
        public Mechanisms.Use use(long rateBps) {
            return made(new Dcqcn(), rateBps, Map.of());
        }

        @Override
        public PortTraffic ports(PortTraffic lossless, long rateBps) {
            return red(lossless, KMIN_BYTES, KMAX_BYTES, PMAX);
        }
    },
    /** With a bound on p, so that it does not take the whole run to fall after the first queue. */
    DCQCN_PI {
        private static final double REFERENCE_KB = 100;
        private static final double MOST = 0.1;

        @Override
        public Mechanisms.Use use(long rateBps) {
            return made(new Dcqcn(), rateBps, Map.of());
        }

        @Override
        public PortTraffic ports(PortTraffic lossless, long rateBps) {
            Pi pi = new Pi();
            return lossless.with(pi, "most", MOST).with(pi, PRIORITIES, WATCHED);
        }

        @Override
        public double queueKb(int senders, long rateBps, double roundTripUs) {
            return REFERENCE_KB;
        }

        @Override
        public long settledNs() {
            return 200_000_000;
        }
    },
    /** The dissertation's DCQCN and its form of PI. */
    DCQCN_PI_DISSERTATION {
        @Override
        public Mechanisms.Use use(long rateBps) {
            return made(new Dcqcn(), rateBps, Map.of("parameters", "dissertation"));
        }

        @Override
        public PortTraffic ports(PortTraffic lossless, long rateBps) {
            Pi pi = new Pi();
            return lossless.with(pi, "form", PiConfig.Form.DISSERTATION)
                    .with(pi, PRIORITIES, WATCHED);
        }
    },
    /** Steps and cycles grow with the link's rate; the paper's are for 10 Gb/s. */
    QCN {
        @Override
        public Mechanisms.Use use(long rateBps) {
            long times = rateBps / SLOW_BPS;
            return made(
                    new QcnControl(),
                    rateBps,
                    Map.of(
                            "rai", 5 * times + "Mbps",
                            "rhai", 50 * times + "Mbps",
                            "bc-limit", 150 * times + "kB"));
        }

        @Override
        public PortTraffic ports(PortTraffic lossless, long rateBps) {
            return lossless.with(new Qcn(), PRIORITIES, WATCHED);
        }

        @Override
        public boolean needsBridges() {
            return true;
        }
    },
    PCN {
        @Override
        public Mechanisms.Use use(long rateBps) {
            return made(new PcnControl(), rateBps, Map.of());
        }

        @Override
        public PortTraffic ports(PortTraffic lossless, long rateBps) {
            return lossless.with(new Pcn(), PRIORITIES, WATCHED);
        }
    },
    /** Over links with credits, by which its switches tell roots of congestion from victims. */
    IB_CC {
        @Override
        public Mechanisms.Use use(long rateBps) {
            return made(new IbCc(), rateBps, Map.of());
        }

        @Override
        public PortTraffic ports(PortTraffic lossless, long rateBps) {
            return Controller.lossless()
                    .with("flow-control", FlowControlConfig.Mode.CREDITS)
                    .with(new Fecn(), PRIORITIES, WATCHED);
        }
    },
    /** Switches mark from K on, 65 frames at 10 Gb/s. */
    DCTCP {
        private static final double K_BYTES_PER_BPS = 65 * 1_500 / 10e9;

        @Override
        public long settledNs() {
            return 10_000_000;
        }

        @Override
        public Mechanisms.Use use(long rateBps) {
            return made(new Dctcp(), rateBps, Map.of());
        }

        @Override
        public PortTraffic ports(PortTraffic lossless, long rateBps) {
            long bytes = (long) (K_BYTES_PER_BPS * rateBps);
            return red(lossless, bytes, bytes, 1);
        }

        @Override
        public double queueKb(int senders, long rateBps, double roundTripUs) {
            return K_BYTES_PER_BPS * rateBps / 1e3;
        }
    },
    HPCC {
        private static final int TELEMETRY_BYTES = 48;

        @Override
        public Mechanisms.Use use(long rateBps) {
            return made(new Hpcc(), rateBps, Map.of());
        }

        @Override
        public PortTraffic ports(PortTraffic lossless, long rateBps) {
            return lossless.with(new Telemetry(), "enabled", true);
        }

        @Override
        public int moreBytes() {
            return TELEMETRY_BYTES;
        }
    },
    SWIFT {
        private static final double TARGET_US = 23;
        private static final double RANGE_US = 100;
        private static final double LEAST = 0.1;
        private static final double MOST = 100;

        @Override
        public long settledNs() {
            return 10_000_000;
        }

        @Override
        public Mechanisms.Use use(long rateBps) {
            return made(new Swift(), rateBps, Map.of());
        }

        // Round trips are the target, which follows from the window, and that from them.
        @Override
        public double queueKb(int senders, long rateBps, double roundTripUs) {
            double scale = RANGE_US / (1 / StrictMath.sqrt(LEAST) - 1 / StrictMath.sqrt(MOST));
            double us = TARGET_US;
            for (int i = 0; i < ROUNDS; i++) {
                double window = us * rateBps / 8e6 / WIRE_BYTES / senders;
                double more = scale * (1 / StrictMath.sqrt(window) - 1 / StrictMath.sqrt(MOST));
                us = TARGET_US + Math.clamp(more, 0, RANGE_US);
            }
            return (us - roundTripUs) * rateBps / 8e9;
        }
    },
    /** The step grows with the link's rate, as in HPCC's simulator: 10 Mb/s for each 10 Gb/s. */
    TIMELY {
        @Override
        public Mechanisms.Use use(long rateBps) {
            return made(new Timely(), rateBps, Map.of("delta", delta(rateBps)));
        }
    },
    TIMELY_PATCHED {
        private static final double T_LOW_US = 50;
        private static final double BETA = 0.008;

        @Override
        public Mechanisms.Use use(long rateBps) {
            return made(new Timely(), rateBps, Map.of("rules", "patched", "delta", delta(rateBps)));
        }

        // Zhu et al. (CoNEXT 2016): T_low (1 + N delta / (beta C)).
        @Override
        public double queueKb(int senders, long rateBps, double roundTripUs) {
            double us = T_LOW_US * (1 + senders / DELTAS_PER_LINE / BETA);
            return (us - roundTripUs) * rateBps / 8e9;
        }
    };

    private static final int ROUNDS = 20;
    private static final double WIRE_BYTES =
            (double) Senders.FRAME_BYTES + Ethernet.WIRE_OVERHEAD_BYTES;
    private static final String PRIORITIES = "priorities";
    private static final long SLOW_BPS = 10_000_000_000L;
    private static final long FAST_BPS = 100_000_000_000L;
    private static final double REFERENCE_KB = 150;
    private static final double FAST_REFERENCE_KB = 300;

    // Thresholds of DCQCN's paper.
    private static final long KMIN_BYTES = 5_000;
    private static final long KMAX_BYTES = 200_000;
    private static final double PMAX = 0.01;
    private static final double DELTAS_PER_LINE = 1_000;

    @Override
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static String delta(long rateBps) {
        return (long) (rateBps / DELTAS_PER_LINE / 1_000) + "kbps";
    }

    private static PortTraffic red(PortTraffic ports, long kmin, long kmax, double pmax) {
        Red red = new Red();
        return ports.with(red, "kmin", kmin)
                .with(red, "kmax", kmax)
                .with(red, "pmax", pmax)
                .with(red, PRIORITIES, WATCHED);
    }

    private static <C extends Record> Mechanisms.Use made(
            Mechanism<C> mechanism, long rateBps, Map<String, ?> keys) {
        return Objects.requireNonNull(Controller.use(mechanism, rateBps, keys));
    }
}
