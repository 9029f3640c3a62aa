package io.headgate.control.show;

import io.headgate.dataplane.counter.CounterId.Kind;
import java.util.List;

/** The largest values since the switch started or the watermarks were cleared. */
public final class WatermarkTable extends CountersTable {
    /** Found by name. */
    public WatermarkTable() {
        super(Kind.MAXIMUM);
    }

    @Override
    public String name() {
        return "watermark";
    }

    @Override
    public List<String> aliases() {
        return List.of("watermarks");
    }

    @Override
    String key() {
        return "watermarks";
    }

    @Override
    public String title() {
        return "the largest of everything since 'headgate clear'";
    }
}
