package io.headgate.perf.forwarding;

/**
 * The results of one device in one round at one size. Times are in ns, rates in frames a second; -1
 * is what was not measured.
 *
 * @param round from 0
 * @param position in which place of its round it was measured, from 0
 * @param offeredFps what reached the device's interface at saturating load
 * @param forwardedFps what it forwarded of that
 * @param zeroLossFps highest rate at which a trial lost nothing
 * @param lowRateOffered frames of the check at a low rate, and their outcome
 * @param wireP50Ns round trip over the wire in the same round
 * @param addedP50Ns round trip through the device, less the wire's of the same percentile
 * @param probesLost probes that did not come back
 */
public record Measurement(
        String device,
        String attachment,
        int sizeBytes,
        int round,
        int position,
        double offeredFps,
        double forwardedFps,
        double zeroLossFps,
        long lowRateOffered,
        long lowRateForwarded,
        long wireP50Ns,
        long roundTripP50Ns,
        long addedP50Ns,
        long addedP99Ns,
        long addedP999Ns,
        int probesLost) {

    /** Which device under test it was. */
    public String subject() {
        return device + " (" + attachment + ")";
    }
}
