package io.headgate.dataplane.random;

/**
 * A named, seeded random generator: xoshiro256++ (Blackman and Vigna, 2019), with its state filled
 * by SplitMix64 from the run's seed, the owner's name and the purpose. Each purpose of each node
 * has its own generator, so that enabling one does not shift another; the numbers are equal on
 * every machine.
 */
public final class NamedRandom {
    private static final long FNV_OFFSET = 0xCBF2_9CE4_8422_2325L;
    private static final long FNV_PRIME = 0x100_0000_01B3L;
    private static final double UNIT = 0x1.0p-53;

    private long s0;
    private long s1;
    private long s2;
    private long s3;

    private NamedRandom(long seed) {
        long state = seed;
        s0 = mix(state += 0x9E37_79B9_7F4A_7C15L);
        s1 = mix(state += 0x9E37_79B9_7F4A_7C15L);
        s2 = mix(state += 0x9E37_79B9_7F4A_7C15L);
        s3 = mix(state + 0x9E37_79B9_7F4A_7C15L);
    }

    /**
     * The generator of a run for one purpose.
     *
     * @param owner name of the owner, e.g. a host's
     * @param purpose purpose of the numbers, e.g. {@code arrivals}
     */
    public static NamedRandom of(long runSeed, String owner, String purpose) {
        long hash = hash(FNV_OFFSET, owner);
        hash = hash(hash * FNV_PRIME, purpose);
        return new NamedRandom(mix(runSeed) ^ hash);
    }

    private static long hash(long from, String text) {
        long hash = from;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * FNV_PRIME;
        }
        return hash;
    }

    /** Stafford's variant 13 of the 64-bit finalizer, as in SplitMix64. */
    public static long mix(long value) {
        long z = value;
        z = (z ^ (z >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D0_49BB_1331_11EBL;
        return z ^ (z >>> 31);
    }

    public long nextLong() {
        long result = Long.rotateLeft(s0 + s3, 23) + s0;
        long t = s1 << 17;
        s2 ^= s0;
        s3 ^= s1;
        s1 ^= s2;
        s0 ^= s3;
        s2 ^= t;
        s3 = Long.rotateLeft(s3, 45);
        return result;
    }

    /** Uniform from 0, included, to {@code bound}, not included; {@code bound} is at least 1. */
    public long nextLong(long bound) {
        if (bound < 1) {
            throw new IllegalArgumentException("bound " + bound);
        }
        // Numbers of the last, incomplete range are drawn again, or small ones would be likelier.
        long bits = nextLong() >>> 1;
        long value = bits % bound;
        while (bits - value + (bound - 1) < 0) {
            bits = nextLong() >>> 1;
            value = bits % bound;
        }
        return value;
    }

    /** Uniform from 0, included, to {@code bound}, not included; {@code bound} is at least 1. */
    public int nextInt(int bound) {
        return (int) nextLong(bound);
    }

    /** Uniform from 0, included, to 1, not included. */
    public double nextDouble() {
        return (nextLong() >>> 11) * UNIT;
    }

    /** True with the given probability; draws no number if it is 0. */
    public boolean happens(double probability) {
        return probability > 0 && nextDouble() < probability;
    }

    /** Exponentially distributed with a mean above 0. */
    public double nextExponential(double mean) {
        return -mean * StrictMath.log(1 - nextDouble());
    }
}
