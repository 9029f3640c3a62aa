package io.headgate.control.policy;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import io.headgate.config.PortConfig;
import io.headgate.config.key.Allowed;
import io.headgate.config.key.Checked;
import io.headgate.config.key.Fixed;
import io.headgate.config.key.Inline;
import io.headgate.config.key.Key;
import io.headgate.config.key.Known;
import io.headgate.config.key.Named;
import io.headgate.config.key.Place;
import io.headgate.config.key.Says;
import io.headgate.dataplane.openqueue.Binding;
import io.headgate.dataplane.openqueue.Fabric;
import io.headgate.dataplane.openqueue.FabricLayout;
import io.headgate.dataplane.openqueue.PolicyPlan;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The policy that lays out the ports of a switch, and the fields of its frames that the policy
 * sees.
 */
@Named(
        value = Fabric.NAME,
        says =
                "Frames wait at inputs, crosspoints and outputs as defined by an OpenQueue policy"
                        + " of several ports (config/policies/README.md). The ports' queue-limit"
                        + " and scheduler do not apply then.")
public record FabricConfig(
        @Key(codec = PolicyFile.PathOfPolicy.class, example = "buffered-crossbar-4.oq")
                @Says(
                        "The policy's file; a relative path starts at this file's directory. If"
                                + " there is no such file, the shipped policy of that name. It"
                                + " declares one port per output, optionally preceded by one per"
                                + " input and one per crosspoint.")
                @Allowed("the path of a policy file, such as policies/crossbar.oq")
                @Fixed(LAID_OUT)
                PolicyFile file,
        @Inline @Fixed(LAID_OUT) PacketConfig packets,
        @Key(min = "0", max = "1000000000", absent = "1")
                @Says("Seed of the random numbers for drop(P).")
                @Fixed(LAID_OUT)
                long seed)
        implements Checked {
    static final String LAID_OUT = "the switch's queues are laid out at the start";

    /** The binding of its packets; the priorities that a queue carries follow from the layout. */
    Binding binding() {
        return packets.binding(List.of());
    }

    @Override
    public void check(Known known, Place place) {
        List<PortConfig> ports = known.list("ports", PortConfig.class);
        PolicyPlan plan;
        try {
            FabricLayout layout = FabricLayout.of(file.policy(), ports.size());
            plan = layout.plan(binding());
            Fabric.requireRates(file.policy(), layout, ports);
        } catch (IllegalArgumentException e) {
            place.child("file")
                    .refuse(
                            "a policy that does not fit this switch: " + e.getMessage(),
                            "a policy with ports for each port of the switch, such as those of"
                                    + " config/policies");
            return;
        }
        int lossless = 0;
        for (PortConfig port : ports) {
            lossless |= port.traffic().losslessMask();
        }
        int mask = lossless;
        LosslessQueues.check(
                plan,
                IntStream.range(0, PRIORITIES)
                        .filter(priority -> (mask >>> priority & 1) != 0)
                        .boxed()
                        .toList(),
                packets.reorders(),
                "file",
                place);
    }
}
