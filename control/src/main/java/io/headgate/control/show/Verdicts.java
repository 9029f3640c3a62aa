package io.headgate.control.show;

import io.headgate.control.daemon.DaemonException;
import io.headgate.control.report.FlowControlSection.Margin;
import io.headgate.control.report.Json;
import io.headgate.control.report.Prose;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The switch's verdicts on the lossless margins of the requested ports. */
final class Verdicts {
    private final List<Margin> margins;
    private final List<String> ports;

    private Verdicts(List<Margin> margins, List<String> ports) {
        this.margins = margins;
        this.ports = ports;
    }

    /** The verdicts of the switch; none if it may not be asked. */
    static Verdicts of(ShowRequest request) {
        return new Verdicts(margins(request), request.ports());
    }

    private static List<Margin> margins(ShowRequest request) {
        try {
            return request.isHost() ? List.of() : Json.list(request.ask("margins"), Margin[].class);
        } catch (DaemonException mayNotAsk) {
            return List.of();
        }
    }

    List<Margin> margins() {
        return margins;
    }

    /** The verdicts as text; ports with the same verdict are listed together. */
    String text(boolean all) {
        Map<String, List<String>> portsByVerdict = new LinkedHashMap<>();
        for (Margin margin : margins) {
            boolean isShown = ports.isEmpty() || ports.contains(margin.port());
            if (isShown && (all || !margin.guaranteed())) {
                portsByVerdict
                        .computeIfAbsent(margin.why(), _ -> new ArrayList<>())
                        .add(margin.port());
            }
        }
        StringBuilder text = new StringBuilder();
        portsByVerdict.forEach((why, names) -> {
            String said =
                    (names.size() == 1 ? "port " : "ports ")
                            + String.join(", ", names)
                            + (all ? ": lossless " : ": lossless is ")
                            + (all ? why : verdict(why));
            text.append(all ? "\n" : "");
            said.lines().forEach(line -> text.append(Prose.folded(line, 2)).append('\n'));
        });
        return text.toString();
    }

    /** The verdict without its calculation. */
    private static String verdict(String why) {
        return why.lines().findFirst().orElse("").replaceAll(";$", "");
    }
}
