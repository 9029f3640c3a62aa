package io.headgate.control.report;

import io.headgate.dataplane.frame.IpProtocol;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Writes flows and addresses for a person. */
public final class FlowText {
    private FlowText() {}

    /** A flow, such as {@code UDP 10.0.0.1:50000 to 10.0.0.2:4791}. */
    public static String of(
            String protocol,
            String source,
            int sourcePort,
            String destination,
            int destinationPort) {
        return "%s %s to %s"
                .formatted(protocol, end(source, sourcePort), end(destination, destinationPort));
    }

    /** The name of a protocol, by IANA's number. */
    public static String protocol(int number) {
        return switch (number) {
            case IpProtocol.TCP -> "TCP";
            case IpProtocol.UDP -> "UDP";
            default -> Integer.toString(number);
        };
    }

    /** Text of an address; for IPv4 the high word is 0. */
    public static String address(long high, long low) {
        return high == 0 ? ipv4((int) low) : ipv6(high, low);
    }

    /** An IPv4 address, such as {@code 10.0.0.1}. */
    public static String ipv4(int address) {
        return IntStream.of(24, 16, 8, 0)
                .mapToObj(shift -> Integer.toString((address >>> shift) & 0xFF))
                .collect(Collectors.joining("."));
    }

    /** An IPv6 address, also one that begins with zeros, or that contains an IPv4 address. */
    public static String ipv6(long high, long low) {
        return IntStream.range(0, 2 * Long.BYTES / Short.BYTES)
                .mapToObj(part -> {
                    long of = part < Long.BYTES / Short.BYTES ? high : low;
                    return Long.toHexString(
                            (of >>> (Long.SIZE - Short.SIZE * (1 + part % 4))) & 0xFFFF);
                })
                .collect(Collectors.joining(":"));
    }

    private static String end(String address, int port) {
        String host = address.contains(":") ? "[" + address + "]" : address;
        return port == 0 ? host : host + ":" + port;
    }
}
