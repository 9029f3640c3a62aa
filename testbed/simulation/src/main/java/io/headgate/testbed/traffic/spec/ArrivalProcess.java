package io.headgate.testbed.traffic.spec;

/** The process by which the flows of a source begin. */
public sealed interface ArrivalProcess {

    /**
     * Open loop: flows begin at exponentially distributed intervals, independently of earlier
     * flows.
     *
     * @param meanIntervalPs mean time between two, in ps, 1 to 10^18
     */
    record Poisson(double meanIntervalPs) implements ArrivalProcess {
        /**
         * @throws IllegalArgumentException if the interval is out of its range
         */
        public Poisson {
            if (!(meanIntervalPs >= 1 && meanIntervalPs <= 1e18)) {
                throw new IllegalArgumentException(
                        "mean interval " + meanIntervalPs + " ps; allowed are 1 to 10^18");
            }
        }

        /**
         * Arrivals that load a link by a share, as evaluations compute it: the mean interval is the
         * mean size over rate times load, headers not counted (the traffic generator published with
         * HPCC, SIGCOMM 2019).
         *
         * @param load part of the link's rate, above 0
         */
        public static Poisson forLoad(SizeDistribution sizes, long linkRateBps, double load) {
            return new Poisson(sizes.meanBytes() * 8e12 / (linkRateBps * load));
        }
    }

    /**
     * Flows begin at fixed intervals: bursts, or incast if several hosts begin at the same times.
     *
     * @param periodPs time between two, in ps, at least 1
     * @param jitterPs each is late by a time drawn uniformly from 0 to below this, in ps, less than
     *     the period; 0: none
     */
    record Periodic(long periodPs, long jitterPs) implements ArrivalProcess {
        /**
         * @throws IllegalArgumentException if a value is out of its range
         */
        public Periodic {
            if (periodPs < 1 || jitterPs < 0 || jitterPs >= periodPs) {
                throw new IllegalArgumentException(
                        "every "
                                + periodPs
                                + " ps with a jitter of "
                                + jitterPs
                                + " ps; the period must be at least 1, the jitter 0 to below it");
            }
        }
    }

    /**
     * Closed loop: one flow at a time. When its last frame has left the network card, a sleep
     * follows, then the next flow. A sleep also precedes the first flow, so that sources do not
     * begin together.
     *
     * @param meanSleepPs mean of the exponentially distributed sleep, in ps, 0 to 10^18
     * @param kept whether all flows are of one connection, to one host, whose rate control goes on
     *     from each to the next
     */
    record ClosedLoop(double meanSleepPs, boolean kept) implements ArrivalProcess {
        /** Each flow has a connection of its own. */
        public ClosedLoop(double meanSleepPs) {
            this(meanSleepPs, false);
        }

        /**
         * Sleeps that load a link by a share, headers not counted, if flows are not delayed: each
         * flow has the link for itself, then sleeps.
         *
         * @param load part of the link's rate, above 0; of more than all there is no sleep
         */
        public static ClosedLoop forLoad(SizeDistribution sizes, long linkRateBps, double load) {
            double picosecondBits = sizes.meanBytes() * 8e12;
            double sleepPs = picosecondBits * (1 / (linkRateBps * load) - 1.0 / linkRateBps);
            return new ClosedLoop(Math.max(0, sleepPs));
        }

        /**
         * @throws IllegalArgumentException if the sleep is out of its range
         */
        public ClosedLoop {
            if (!(meanSleepPs >= 0 && meanSleepPs <= 1e18)) {
                throw new IllegalArgumentException(
                        "mean sleep " + meanSleepPs + " ps; allowed are 0 to 10^18");
            }
        }
    }
}
