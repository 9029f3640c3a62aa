package io.headgate.dataplane.device.linux;

/** Which compilers the JVM has. That decides how much must run before what comes next is fast. */
public final class Compilation {
    /** In the JVM's description of itself with {@code -XX:TieredStopAtLevel=1}. */
    private static final String QUICK_ONE_ALONE = "emulated-client";

    /**
     * The quick compiler waits for 200 calls of a method, or 2,000 rounds of its loops; the
     * optimising one for 5,000 calls of what the quick one made, and for what it saw of them.
     */
    private static final int SOONER = 8;

    private Compilation() {}

    /**
     * How many rounds make code warm.
     *
     * @param optimised how many where there is an optimising compiler
     */
    public static int rounds(int optimised) {
        boolean isQuick = System.getProperty("java.vm.info", "").contains(QUICK_ONE_ALONE);
        return isQuick ? optimised / SOONER : optimised;
    }
}
