package io.headgate.control.show;

import io.headgate.dataplane.counter.CounterId.Kind;

/** The watermarks: the largest values since the switch started or they were cleared. */
public final class WatermarkTable extends CountersTable {
    /** For {@link java.util.ServiceLoader}. */
    public WatermarkTable() {
        super(Kind.MAXIMUM);
    }

    @Override
    public Heading heading() {
        return Heading.of("watermark", "maximum values since 'headgate clear'", "watermarks");
    }

    @Override
    String key() {
        return "watermarks";
    }
}
