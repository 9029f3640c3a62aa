package io.headgate.testbed.scenario.file;

import io.headgate.config.key.Allowed;
import io.headgate.config.key.Items;
import io.headgate.config.key.Key;
import io.headgate.config.key.Otherwise;
import io.headgate.config.key.Says;
import io.headgate.config.read.Schemas;
import io.headgate.config.yaml.ConfigSchema;
import java.util.List;

/** What a scenario file says. */
record ScenarioFile(
        @Key
                @Says("What the hosts send.")
                @Allowed("a list, such as [{name: web, from: h1, to: h4}]")
                @Items(
                        min = 1,
                        max = 10000,
                        repeats = true,
                        each =
                                "a mapping with name, from and to, such as {name: web, from: [h1,"
                                        + " h2], to: h4}, or with name and flows or collective")
                List<TrafficEntry> traffic,
        @Key
                @Says(
                        "Pauses that hosts send, needed or not, ahead of all data and exactly at"
                                + " these times.")
                @Otherwise("none")
                @Allowed("a list, such as [{from: h2, priorities: [3], start: 1ms, stop: 2ms}]")
                @Items(
                        max = 1000,
                        each =
                                "a mapping with from, such as {from: h2, priorities: [3, 4], start:"
                                        + " 1ms, stop: 2ms}")
                List<PausesEntry> pauses,
        @Key(pattern = TrafficEntry.HOST)
                @Says("Hosts whose cards send on when they are asked to stop, and never ask.")
                @Otherwise("none")
                @Allowed(TrafficEntry.HOSTS_ALLOWED)
                @Items(min = 1, max = 10000, orOne = true, each = TrafficEntry.HOST_ALLOWED)
                List<String> deaf) {

    /** For the schema of the file, which has further keys. */
    static final ConfigSchema SCHEMA = Schemas.ofSomeKeys(ScenarioFile.class, "scenario-keys");
}
