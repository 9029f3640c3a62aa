package io.headgate.control.metrics;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads the address at which metrics are served: {@code 9400} (on this machine only), {@code
 * 10.0.0.1:9400}, {@code [::1]:9400}, or {@code 0.0.0.0:9400} for all machines. Port 0 means any
 * free port.
 */
public final class MetricsAddress implements ITypeConverter<InetSocketAddress> {
    private static final Pattern FORM =
            Pattern.compile("(?:(?:\\[([^\\[\\]]+)\\]|([^\\[\\]:]+)):)?([0-9]{1,5})");
    private static final int LARGEST_PORT = 65_535;

    @Override
    public InetSocketAddress convert(String text) {
        Matcher matcher = FORM.matcher(text);
        if (matcher.matches() && Integer.parseInt(matcher.group(3)) <= LARGEST_PORT) {
            String host = matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
            try {
                InetAddress address =
                        host == null
                                ? InetAddress.getLoopbackAddress()
                                : InetAddress.getByName(host);
                if (address instanceof Inet6Address ipv6
                        && ipv6.isLinkLocalAddress()
                        && ipv6.getScopeId() == 0) {
                    throw new TypeConversionException(
                            "metrics cannot be served at '%s': a link-local address needs its interface, as in [%s%%eth0]:%s"
                                    .formatted(text, host, matcher.group(3)));
                }
                return new InetSocketAddress(address, Integer.parseInt(matcher.group(3)));
            } catch (UnknownHostException unknown) {
                throw new TypeConversionException("the name '" + host + "' has no address");
            }
        }
        throw new TypeConversionException(
                ("metrics cannot be served at '%s'; allowed is a port from 0 to 65535, alone"
                                + " or behind an address, such as 9400, 0.0.0.0:9400 or [::1]:9400")
                        .formatted(text));
    }
}
