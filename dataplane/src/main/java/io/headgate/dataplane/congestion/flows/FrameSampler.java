package io.headgate.dataplane.congestion.flows;

import io.headgate.dataplane.random.NamedRandom;

/**
 * Samples each frame with the same probability, independent of the others. It draws one number per
 * sample: the number of frames to skip before the next one, which is geometrically distributed.
 */
final class FrameSampler {
    private static final long NOT_DRAWN = -1;

    private final NamedRandom random;
    private double scale;
    private long left = NOT_DRAWN;

    /**
     * Draws no number yet: another sampler may use the generator until the first frame comes.
     *
     * @param oneOf mean number of frames per sample
     */
    FrameSampler(NamedRandom random, int oneOf) {
        this.random = random;
        this.scale = scale(oneOf);
    }

    void set(int oneOf) {
        if (left == NOT_DRAWN) {
            draw();
        }
        scale = scale(oneOf);
        draw();
    }

    private static double scale(int oneOf) {
        // The whole part of an exponentially distributed number is geometrically distributed.
        return oneOf == 1 ? 0 : -1 / StrictMath.log(1 - 1.0 / oneOf);
    }

    private void draw() {
        left = (long) random.nextExponential(scale);
    }

    boolean takes() {
        if (left == NOT_DRAWN) {
            draw();
        }
        if (left > 0) {
            left--;
            return false;
        }
        draw();
        return true;
    }
}
