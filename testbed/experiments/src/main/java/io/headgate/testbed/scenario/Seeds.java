package io.headgate.testbed.scenario;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks whether the seeds of a scenario change its runs. If nothing in it is random, runs that
 * differ only in their seeds have the same digest; they count as one run, and do not give an
 * interval.
 */
public final class Seeds {
    private Seeds() {}

    /**
     * The runs of each setting of parameters, bed and scale, in their order.
     *
     * @return runs by the values that distinguish their setting
     */
    public static Map<List<Object>, List<CellResult>> bySetting(List<CellResult> results) {
        Map<List<Object>, List<CellResult>> settings = new LinkedHashMap<>();
        for (CellResult result : results) {
            Cell cell = result.cell();
            List<Object> key =
                    List.of(List.copyOf(cell.values().texts().values()), cell.bed(), cell.scale());
            settings.computeIfAbsent(key, _ -> new ArrayList<>()).add(result);
        }
        return settings;
    }

    /** Whether these runs of one setting are several with identical frames. */
    static boolean areOneRun(List<CellResult> ofSetting) {
        long digests = ofSetting.stream().map(Seeds::digest).distinct().count();
        return ofSetting.size() > 1 && digests == 1 && !digest(ofSetting.getFirst()).isEmpty();
    }

    private static String digest(CellResult result) {
        Outcome outcome = result.outcome();
        return outcome == null ? "" : outcome.digest();
    }

    /** Each different run once: if the seed changed nothing, only the run of the first seed. */
    static List<CellResult> distinct(List<CellResult> results) {
        List<CellResult> distinct = new ArrayList<>();
        for (List<CellResult> setting : bySetting(results).values()) {
            distinct.addAll(areOneRun(setting) ? setting.subList(0, 1) : setting);
        }
        return distinct;
    }

    /** A caution that the seed changed nothing, and where; empty if it did. */
    static String caution(List<CellResult> results) {
        List<List<CellResult>> settings = List.copyOf(bySetting(results).values());
        List<List<CellResult>> alike = settings.stream().filter(Seeds::areOneRun).toList();
        if (alike.isEmpty()) {
            return "";
        }
        String where =
                settings.size() == 1
                        ? ""
                        : " in " + alike.size() + " of " + settings.size() + " settings";
        return "the seed changes nothing here: "
                + alike.getFirst().size()
                + " seeds have one digest"
                + where
                + ", so they count as one run (n = 1) and have no interval";
    }
}
