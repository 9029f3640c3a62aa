package io.headgate.control.report;

import io.headgate.dataplane.frame.IpProtocol;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/** A flow, for a person. */
public final class FlowText {
    private FlowText() {}

    /** Such as {@code UDP 10.0.0.1:50000 to 10.0.0.2:4791}. */
    public static String of(
            String protocol,
            String source,
            int sourcePort,
            String destination,
            int destinationPort) {
        return "%s %s to %s"
                .formatted(protocol, end(source, sourcePort), end(destination, destinationPort));
    }

    /** By IANA's number. */
    public static String protocol(int number) {
        return switch (number) {
            case IpProtocol.TCP -> "TCP";
            case IpProtocol.UDP -> "UDP";
            default -> Integer.toString(number);
        };
    }

    /** Of an IPv4 address the high word is 0. */
    public static String address(long high, long low) {
        ByteBuffer bytes =
                high == 0
                        ? ByteBuffer.allocate(Integer.BYTES).putInt((int) low)
                        : ByteBuffer.allocate(2 * Long.BYTES).putLong(high).putLong(low);
        try {
            return InetAddress.getByAddress(bytes.array()).getHostAddress();
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String end(String address, int port) {
        String host = address.contains(":") ? "[" + address + "]" : address;
        return port == 0 ? host : host + ":" + port;
    }
}
