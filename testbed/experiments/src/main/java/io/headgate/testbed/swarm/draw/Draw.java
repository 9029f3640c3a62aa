package io.headgate.testbed.swarm.draw;

import io.headgate.dataplane.random.NamedRandom;
import java.util.List;

/** Draws the values of a case from one generator. */
final class Draw {
    private final NamedRandom random;

    /** The generator of a seed for one purpose, so that more draws for one shift no other. */
    Draw(long seed, String purpose) {
        this.random = NamedRandom.of(seed, "swarm", purpose);
    }

    /** Uniform, both ends included. */
    long between(long least, long most) {
        return least + random.nextLong(most - least + 1);
    }

    /** Uniform, both ends included. */
    int between(int least, int most) {
        return least + random.nextInt(most - least + 1);
    }

    /**
     * Uniform in the logarithm, so that small and large values are equally frequent; both ends
     * included.
     */
    long magnitude(long least, long most) {
        double low = StrictMath.log((double) least);
        double high = StrictMath.log((double) most);
        long value = StrictMath.round(StrictMath.exp(low + (high - low) * random.nextDouble()));
        return Math.clamp(value, least, most);
    }

    boolean chance(double probability) {
        return random.happens(probability);
    }

    double probability(double most) {
        return random.nextDouble() * most;
    }

    <T> T oneOf(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    @SafeVarargs
    final <T> T oneOf(T first, T... others) {
        int place = random.nextInt(others.length + 1);
        return place == 0 ? first : others[place - 1];
    }
}
