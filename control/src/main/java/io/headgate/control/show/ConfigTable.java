package io.headgate.control.show;

import io.headgate.config.read.SwitchConfigs;
import io.headgate.control.report.Json;
import io.headgate.control.run.RunningSwitch;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** The configuration in force, in the form of a file. */
public final class ConfigTable implements SwitchAnswer {
    @Override
    public Heading heading() {
        return Heading.of("config", "the configuration in force");
    }

    @Override
    public boolean namesSwitch() {
        return true;
    }

    @Override
    public Object answer(RunningSwitch running) {
        return SwitchConfigs.toMap(running.config());
    }

    @Override
    public String text(JsonNode answer) {
        return SwitchConfigs.toYaml(Json.COMPACT.treeToValue(answer, Map.class));
    }
}
