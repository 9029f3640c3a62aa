package io.headgate.dataplane.device;

/** What every device on libpcap shares. */
final class Libpcap {
    private Libpcap() {}

    /** For when pcap4j could not load libpcap. */
    static DeviceException missing(LinkageError error) {
        return new DeviceException(
                ("libpcap cannot be loaded; install it (Debian: apt-get install libpcap0.8),"
                                + " or use another kind of device (%s)")
                        .formatted(error.getMessage()),
                error);
    }
}
