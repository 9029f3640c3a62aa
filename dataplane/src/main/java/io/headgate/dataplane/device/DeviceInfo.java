package io.headgate.dataplane.device;

/**
 * @param kind name in the configuration: {@code afpacket}, {@code afxdp}, {@code tap}, {@code
 *     pcap}, {@code pcapfile}, {@code vxlan}, {@code memory}, {@code local}
 * @param name the interface or file, with its namespace where it has one
 * @param mac the device's own MAC address in the low 48 bits; 0 where it has none
 * @param maxFrameBytes longest frame without FCS that it can carry
 * @param detail how it runs, for the user, e.g. {@code native, copy, 2048-frame rings}
 * @param oneWorker whether both its halves must be on one worker
 */
public record DeviceInfo(
        String kind, String name, long mac, int maxFrameBytes, String detail, boolean oneWorker) {

    /** The same with another {@link #detail}. */
    public DeviceInfo withDetail(String other) {
        return new DeviceInfo(kind, name, mac, maxFrameBytes, other, oneWorker);
    }
}
