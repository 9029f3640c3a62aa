package io.headgate.control.cli;

import static io.headgate.control.report.Table.column;

import io.headgate.control.doctor.Capabilities;
import io.headgate.control.report.Json;
import io.headgate.control.report.Table;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.afxdp.AfXdpSupport;
import io.headgate.dataplane.device.linux.net.LinuxInterface;
import io.netty.channel.epoll.Epoll;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.pcap4j.core.Pcaps;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code headgate devices}: what a port can stand on here, and why not on the rest. */
@Command(
        name = "devices",
        description = "Lists kinds of devices and interfaces that ports can use here, or why not.")
public final class DevicesCommand extends HeadgateCommand implements Callable<Integer> {
    @Option(names = "--json", description = "For programs: one line of JSON.")
    private boolean json;

    @Option(
            names = "--netns",
            paramLabel = "NAME",
            description = "Interfaces of this network namespace too; may be repeated.")
    private List<String> namespaces = List.of();

    /**
     * A kind of device.
     *
     * @param whyNot empty if it can be used
     */
    record Kind(String kind, String what, String whyNot) {}

    /**
     * An interface.
     *
     * @param kinds of devices that can use it, joined by spaces; empty if none
     * @param whyNot empty if one can
     */
    record Interface(
            String netns,
            String name,
            String kind,
            String driver,
            int mtuBytes,
            boolean up,
            String kinds,
            String whyNot) {}

    @Override
    public Integer call() throws DeviceException {
        List<Kind> kinds = kinds();
        List<Interface> interfaces = new ArrayList<>();
        List<String> all = new ArrayList<>(List.of(""));
        all.addAll(namespaces);
        for (String netns : all) {
            for (LinuxInterface link : LinuxInterface.all(netns)) {
                interfaces.add(describe(link, kinds));
            }
        }
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("kinds", kinds);
        shown.put("interfaces", interfaces);
        print(json ? Json.COMPACT.writeValueAsString(shown) + "\n" : text(kinds, interfaces));
        return 0;
    }

    private static List<Kind> kinds() {
        Capabilities rights = Capabilities.ours();
        String raw = rights.netRaw() ? "" : "needs CAP_NET_RAW; run as root";
        String admin = rights.netAdmin() ? "" : "needs CAP_NET_ADMIN; run as root";
        String tap =
                !Files.exists(Path.of("/dev/net/tun"))
                        ? "there is no /dev/net/tun; run modprobe tun"
                        : admin;
        return List.of(
                new Kind("afpacket", "an interface, mapped rings", raw),
                new Kind(
                        "afxdp",
                        "an interface's queue, copy-free in user space",
                        AfXdpSupport.whyNot().orElse("")),
                new Kind("tap", "an interface for unmodified programs", tap),
                new Kind("pcap", "a capture device, through libpcap", pcap(raw)),
                new Kind("pcap-file", "capture files, in and out", ""),
                new Kind(
                        "vxlan",
                        "a wire to another machine, over UDP, by "
                                + (Epoll.isAvailable() ? "epoll" : "NIO"),
                        ""),
                new Kind("memory", "a wire between two ports of one switch", ""));
    }

    private static String pcap(String otherwise) {
        try {
            String version = Pcaps.libVersion();
            return version.isEmpty() ? "libpcap says no version" : otherwise;
        } catch (LinkageError missing) {
            return "libpcap is missing; run apt-get install libpcap0.8";
        }
    }

    private static Interface describe(LinuxInterface link, List<Kind> kinds) {
        String whyNot = "";
        StringBuilder usable = new StringBuilder();
        if (link.name().equals("lo") || !link.ethernet()) {
            whyNot = "not Ethernet";
        } else {
            for (Kind kind : kinds.subList(0, 4)) {
                boolean fits = !kind.kind.equals("tap") || link.kind().equals("tun");
                if (kind.whyNot.isEmpty() && fits) {
                    usable.append(usable.isEmpty() ? "" : " ").append(kind.kind);
                }
            }
            if (usable.isEmpty()) {
                whyNot = kinds.getFirst().whyNot;
            }
        }
        return new Interface(
                link.netns(),
                link.name(),
                link.kind(),
                link.driver(),
                link.mtuBytes(),
                link.up(),
                usable.toString(),
                whyNot);
    }

    private static String text(List<Kind> kinds, List<Interface> interfaces) {
        Table kindTable =
                Table.of(
                        kinds,
                        column("device", kind -> kind.kind),
                        column("what it is", kind -> kind.what),
                        column(
                                "usable here",
                                kind -> kind.whyNot.isEmpty() ? "yes" : "no: " + kind.whyNot));
        Table table =
                Table.of(
                        interfaces,
                        column(
                                "interface",
                                link ->
                                        link.netns.isEmpty()
                                                ? link.name
                                                : link.netns + "/" + link.name),
                        column("kind", link -> link.kind.isEmpty() ? link.driver : link.kind),
                        column(">MTU (bytes)", link -> link.mtuBytes),
                        column("state", link -> link.up ? "up" : "down"),
                        column(
                                "usable as",
                                link -> link.whyNot.isEmpty() ? link.kinds : "no: " + link.whyNot));
        return kindTable + "\n" + table;
    }
}
