package io.headgate.config;

import static io.headgate.config.key.Quantity.DURATION;

import io.headgate.config.key.Allowed;
import io.headgate.config.key.Checked;
import io.headgate.config.key.Codec;
import io.headgate.config.key.Codecs;
import io.headgate.config.key.Items;
import io.headgate.config.key.Key;
import io.headgate.config.key.Known;
import io.headgate.config.key.Otherwise;
import io.headgate.config.key.Place;
import io.headgate.config.key.Says;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The worker threads that run the halves of a switch.
 *
 * @param count workers, 1 to 128, if the layout is {@code COUNT}; 0 otherwise
 */
@Withers
public record WorkerConfig(
        @Key(codec = LayoutCodec.class, absent = "auto")
                @Says(
                        "One worker for all ports (single), one per half of each port (per-half), a"
                                + " layout that fits the number of cores (auto), or this number of"
                                + " workers with the halves spread over them.")
                @Allowed("auto, single, per-half, or a number of workers from 1 to 128")
                Layout layout,
        @Key(name = "layout", codec = CountCodec.class) int count,
        @Key(absent = "backoff")
                @Says(
                        "What a worker without work does: spin, then yield, then sleep (backoff);"
                                + " or always spin (busy-spin).")
                Idle idle,
        @Key(min = "0", max = "4095")
                @Says("Cores that workers are pinned to, in turn.")
                @Allowed("a list of different core numbers, such as [2, 3]")
                @Otherwise("not pinned")
                @Items(max = 128, unique = true, each = "a core number from 0 to 4095, such as 2")
                List<Integer> cores,
        @Key(quantity = DURATION, min = "1us", max = "10s", absent = "1ms")
                @Says("A duty cycle longer than this is counted as over the threshold.")
                @Allowed("a time such as 500us or 1ms, from 1us to 10s")
                long stallThresholdNs)
        implements WorkerConfigBuilder.With, Checked {

    public WorkerConfig {
        cores = List.copyOf(cores);
    }

    @Override
    public void check(Known known, Place place) {
        boolean isSingle = layout == Layout.SINGLE;
        if (isSingle || layout == Layout.COUNT) {
            int workers = isSingle ? 1 : count;
            if (cores.size() > workers) {
                place.child("cores")
                        .refuse(
                                "%d cores with layout: %s"
                                        .formatted(cores.size(), isSingle ? "single" : workers),
                                "at most as many as there are workers to pin, which is " + workers);
            }
        }
    }

    /**
     * {@code COUNT}: as many workers as {@link WorkerConfig#count} says, halves spread over them.
     */
    public enum Layout {
        SINGLE,
        AUTO,
        PER_HALF,
        COUNT
    }

    /** What a worker without work does: spin, yield, then sleep; or always spin. */
    public enum Idle {
        BACKOFF,
        BUSY_SPIN
    }

    /** A word, or a number, which {@link CountCodec} reads. */
    static final class LayoutCodec implements Codec<Layout> {
        @Override
        public Map<String, Object> schema() {
            return Map.of(
                    "anyOf",
                    List.of(
                            Map.of("enum", List.of("auto", "single", "per-half")),
                            Codecs.wholeNumber(1, 128)));
        }

        @Override
        public @Nullable Layout read(Place place, Known known) {
            if (place.said() instanceof Number) {
                return Layout.COUNT;
            }
            for (Layout layout : Layout.values()) {
                if (Codecs.word(layout).equals(place.said())) {
                    return layout;
                }
            }
            place.refuse();
            return null;
        }

        @Override
        public @Nullable Object write(Layout layout, Known known) {
            return layout == Layout.COUNT ? null : Codecs.word(layout);
        }

        @Override
        public Layout nothing() {
            return Layout.AUTO;
        }
    }

    /** The number, if the layout is a number. */
    static final class CountCodec implements Codec<Integer> {
        @Override
        public Map<String, Object> schema() {
            return Map.of();
        }

        @Override
        public Integer read(Place place, Known known) {
            return place.said() instanceof Number number ? number.intValue() : 0;
        }

        @Override
        public @Nullable Object write(Integer count, Known known) {
            return count == 0 ? null : count;
        }

        @Override
        public Integer nothing() {
            return 0;
        }
    }
}
