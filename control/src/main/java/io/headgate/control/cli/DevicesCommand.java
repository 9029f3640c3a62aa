package io.headgate.control.cli;

import static io.headgate.control.report.Table.column;

import io.headgate.config.DeviceKind;
import io.headgate.config.Devices;
import io.headgate.config.key.Named;
import io.headgate.config.key.Section;
import io.headgate.control.doctor.Doctor;
import io.headgate.control.report.Table;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.net.LinuxInterface;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code headgate devices}: devices that ports can use here, and why the others cannot be used. */
@Command(
        name = "devices",
        description =
                "Lists the kinds of devices and the interfaces that ports can use here, and"
                        + " the reasons why others cannot be used.")
public final class DevicesCommand extends HeadgateCommand implements Callable<Integer> {
    @Mixin private final JsonOption json = new JsonOption();

    @Option(
            names = "--netns",
            paramLabel = "NAME",
            description = "Also lists the interfaces of this network namespace; may be repeated.")
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
        record Shown(List<Kind> kinds, List<Interface> interfaces) {}
        print(json.answer(new Shown(kinds, interfaces), () -> text(kinds, interfaces)));
        return 0;
    }

    private static List<Kind> kinds() {
        List<Kind> kinds = new ArrayList<>();
        Devices.kinds()
                .forEach((name, kind) -> {
                    String says = kind.configuration().getAnnotation(Named.class).says();
                    int end = says.indexOf('.');
                    kinds.add(
                            new Kind(
                                    name,
                                    end < 0 ? says : says.substring(0, end),
                                    Doctor.whyNot(name)));
                });
        return kinds;
    }

    private static boolean standsOnInterface(String name) {
        DeviceKind<?> kind = Objects.requireNonNull(Devices.kinds().get(name));
        return Section.of(kind.configuration()).names().contains("interface");
    }

    private static Interface describe(LinuxInterface link, List<Kind> kinds) {
        String whyNot = "";
        StringBuilder usable = new StringBuilder();
        if (link.name().equals("lo") || !link.ethernet()) {
            whyNot = "not Ethernet";
        } else {
            for (Kind kind : kinds) {
                boolean fits = !kind.kind.equals("tap") || link.kind().equals("tun");
                if (!fits || !standsOnInterface(kind.kind)) {
                    continue;
                }
                if (kind.whyNot.isEmpty()) {
                    usable.append(usable.isEmpty() ? "" : " ").append(kind.kind);
                } else if (whyNot.isEmpty()) {
                    whyNot = kind.whyNot;
                }
            }
            whyNot = usable.isEmpty() ? whyNot : "";
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
