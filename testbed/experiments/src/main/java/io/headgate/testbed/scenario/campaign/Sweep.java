package io.headgate.testbed.scenario.campaign;

import io.headgate.config.key.Text;
import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.Parameter;
import io.headgate.testbed.scenario.Scenario;
import io.headgate.testbed.scenario.ScenarioException;
import io.headgate.testbed.scenario.Unit;
import io.headgate.testbed.scenario.Values;
import io.headgate.testbed.scenario.Words;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All cells of a scenario over values of its parameters, seeds and beds, in an order that depends
 * only on these: parameters as declared, the last one varying fastest, then seeds, then beds.
 *
 * @param varied names of parameters with more than one value
 */
public record Sweep(
        Scenario scenario,
        List<Cell> cells,
        List<String> varied,
        List<Long> seeds,
        Set<BedKind> beds) {
    private static final int MAX_CELLS = 100_000;
    private static final Parameter SEED =
            Parameter.number(
                    "--seed", Unit.COUNT, "1", "0", "1000000000", "seed of all random choices");

    public Sweep {
        cells = List.copyOf(cells);
        varied = List.copyOf(varied);
        seeds = List.copyOf(seeds);
    }

    /**
     * Lays out a sweep.
     *
     * @param settings {@code name=value}, where a value may be a list or a range
     * @param seeds a seed, a list or a range
     * @param beds where each cell runs
     * @param scale factor by which a real bed is slower than described; 0: the scenario's
     * @throws ScenarioException if a setting is not allowed, or there are too many cells
     */
    public static Sweep of(
            Scenario scenario, List<String> settings, String seeds, Set<BedKind> beds, double scale)
            throws ScenarioException {
        Map<String, List<Object>> values = values(scenario, settings);
        List<Long> seedList = new ArrayList<>();
        for (Object seed : distinct(SEED.name(), SEED, seeds)) {
            seedList.add(((Double) seed).longValue());
        }
        requireBeds(scenario, beds);
        long count = (long) seedList.size() * beds.size();
        for (List<Object> of : values.values()) {
            count *= of.size();
            if (count > MAX_CELLS) {
                throw new ScenarioException(
                        "the sweep has more than "
                                + MAX_CELLS
                                + " runs; fewer values or seeds"
                                + " are allowed");
            }
        }
        double slower = scale == 0 ? scenario.about().scale() : scale;
        List<Cell> cells = new ArrayList<>();
        for (Values point : Values.all(scenario.parameters(), values)) {
            scenario.check(point);
            for (long seed : seedList) {
                for (BedKind bed : beds) {
                    double by = bed == BedKind.VIRTUAL ? 1 : slower;
                    cells.add(new Cell(cells.size(), point, seed, bed, by));
                }
            }
        }
        List<String> varied =
                values.entrySet().stream()
                        .filter(entry -> entry.getValue().size() > 1)
                        .map(Map.Entry::getKey)
                        .toList();
        return new Sweep(scenario, cells, varied, seedList, beds);
    }

    private static Map<String, List<Object>> values(Scenario scenario, List<String> settings)
            throws ScenarioException {
        Map<String, List<Object>> values = new LinkedHashMap<>();
        scenario.parameters().forEach(p -> values.put(p.name(), p.defaults()));
        Set<String> set = new HashSet<>();
        for (String setting : settings) {
            int at = setting.indexOf('=');
            if (at < 1) {
                throw new ScenarioException(
                        "--set cannot be '" + Words.shown(setting) + "': allowed is name=value");
            }
            String name = setting.substring(0, at).strip();
            Parameter parameter = parameter(scenario, name);
            if (!set.add(name)) {
                throw new ScenarioException(
                        "--set names "
                                + name
                                + " twice: allowed is once, with a list 1,2 or a range for more"
                                + " than one value");
            }
            values.put(name, distinct("parameter " + name, parameter, setting.substring(at + 1)));
        }
        return values;
    }

    /** Values, none of them twice: the same run would count twice. */
    private static List<Object> distinct(String what, Parameter parameter, String text)
            throws ScenarioException {
        List<Object> values = parameter.parse(text);
        Set<Object> seen = new HashSet<>();
        for (Object value : values) {
            if (!seen.add(value)) {
                throw new ScenarioException(
                        what
                                + " cannot be '"
                                + Words.shown(text)
                                + "': "
                                + parameter.format(value)
                                + " is there twice");
            }
        }
        return values;
    }

    private static Parameter parameter(Scenario scenario, String name) throws ScenarioException {
        for (Parameter parameter : scenario.parameters()) {
            if (parameter.name().equals(name)) {
                return parameter;
            }
        }
        List<String> known = scenario.parameters().stream().map(Parameter::name).toList();
        String near = Text.nearest(name, known);
        throw new ScenarioException(
                scenario.about().name()
                        + " has no parameter '"
                        + Words.shown(name)
                        + "'"
                        + (near == null ? "" : " (" + near + "?)")
                        + (known.isEmpty()
                                ? ", nor any other"
                                : ": allowed is " + String.join(", ", known)));
    }

    private static void requireBeds(Scenario scenario, Set<BedKind> beds) throws ScenarioException {
        for (BedKind bed : beds) {
            if (!scenario.about().beds().contains(bed)) {
                throw new ScenarioException(
                        scenario.about().name()
                                + " does not run on the "
                                + bed.word()
                                + " bed: allowed is --bed "
                                + String.join(
                                        ", ",
                                        scenario.about().beds().stream()
                                                .map(BedKind::word)
                                                .sorted()
                                                .toList()));
            }
        }
    }

    /** The label that distinguishes a cell from the others. */
    public String label(Cell cell) {
        String label = cell.label(varied, seeds.size() > 1, beds.size() > 1);
        return label.isEmpty() ? "run" : label;
    }

    /**
     * The id of this sweep: the same for all its shards, and different from other sweeps'.
     *
     * @param definition the scenario's definition in addition to its name, such as its file's text
     */
    public String id(String definition) {
        StringBuilder all = new StringBuilder(scenario.about().name()).append('\n');
        all.append(definition).append('\n');
        for (Cell cell : cells) {
            all.append(cell.values().texts()).append(' ').append(cell.seed()).append(' ');
            all.append(cell.bed().word()).append(' ').append(cell.scale()).append('\n');
        }
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            byte[] hash = digest.digest(all.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, Long.BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
