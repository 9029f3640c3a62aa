package io.headgate.testbed.traffic;

import java.util.function.LongSupplier;

/** What time it is for the hosts of one run, in ps, and how far any two of them can be apart. */
record TrafficClock(LongSupplier ps, LongSupplier apart) {
    long nowPs() {
        return ps.getAsLong();
    }

    long apartPs() {
        return apart.getAsLong();
    }
}
