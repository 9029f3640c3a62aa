package io.headgate.testbed.lab;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What a lab is to do.
 *
 * @param workers a layout as configuration names it, or a number of workers
 * @param idle {@code backoff} or {@code busy-spin}
 * @param rate line rate of every port, as configuration writes it
 * @param udpBps of each UDP flow between pairs; 0: a tenth of the line rate
 * @param seconds of each flow of traffic, 1 to 3,600
 * @param mtuBytes of every interface
 * @param shell whether to open a shell in place of running iperf3
 * @param reportDirectory where report and iperf3 results go
 * @param captureDirectory where the capture goes
 * @param prefix put before the namespaces' names
 * @param seed of the switch's seeded choices
 */
public record LabOptions(
        DeviceKind device,
        String workers,
        String idle,
        String rate,
        long udpBps,
        int seconds,
        int mtuBytes,
        boolean ipv6,
        boolean shell,
        Path reportDirectory,
        Path captureDirectory,
        String prefix,
        long seed) {

    /** All of it by name, as it is given, for reports. */
    public Map<String, Object> toMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("device", device.word());
        map.put("workers", workers);
        map.put("idle", idle);
        map.put("rate", rate);
        map.put("udpBps", udpBps);
        map.put("seconds", seconds);
        map.put("mtuBytes", mtuBytes);
        map.put("ipv6", ipv6);
        map.put("shell", shell);
        map.put("prefix", prefix);
        map.put("seed", seed);
        return map;
    }

    /** What the switch's ports stand on. */
    public enum DeviceKind {
        AFPACKET,
        AFXDP,
        TAP;

        /** As configuration and command line write it. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
