package io.headgate.control.policy;

import static io.headgate.config.TrafficConfig.PRIORITIES;

import io.headgate.config.PortConfig;
import io.headgate.config.key.Allowed;
import io.headgate.config.key.Checked;
import io.headgate.config.key.Fixed;
import io.headgate.config.key.Key;
import io.headgate.config.key.Known;
import io.headgate.config.key.Place;
import io.headgate.config.key.Says;
import io.headgate.dataplane.openqueue.Binding;
import io.headgate.dataplane.openqueue.Fabric;
import io.headgate.dataplane.openqueue.FabricLayout;
import io.headgate.dataplane.openqueue.FrameValue;
import io.headgate.dataplane.openqueue.PolicyPlan;
import java.util.List;
import java.util.stream.IntStream;

/** Which policy lays out the ports of a switch, and what of its frames the policy sees. */
public record FabricConfig(
        @Key(codec = PolicyFile.PathOfPolicy.class, example = "buffered-crossbar-4.oq")
                @Says(
                        "The policy's file; a relative path starts where this file is. Where there"
                                + " is none, the shipped policy of that name. It declares one port"
                                + " per output, and before them, if wanted, one per input and one"
                                + " per crosspoint.")
                @Allowed("the path of a policy's file, such as policies/crossbar.oq")
                @Fixed(LAID_OUT)
                PolicyFile file,
        @Key(absent = "priority") @Says("What of a frame Packet.value is.") @Fixed(LAID_OUT)
                FrameValue value,
        @Key(absent = "tos") @Says("What of a frame Packet.processing is.") @Fixed(LAID_OUT)
                FrameValue processing,
        @Key(absent = "none") @Says("What of a frame Packet.slack is, in ns.") @Fixed(LAID_OUT)
                FrameValue slack,
        @Key(absent = "flow") @Says("What of a frame Packet.flow is.") @Fixed(LAID_OUT)
                FrameValue flow,
        @Key(absent = "bytes")
                @Says("What sizes of queues and buffers count: bytes, or packets.")
                @Fixed(LAID_OUT)
                PolicyConfig.SizeUnit sizeUnit,
        @Key(absent = "value")
                @Says(
                        "What ranks higher by admPrio: what is worth more (value), or what is"
                                + " dropped first (drop-first).")
                @Fixed(LAID_OUT)
                PolicyConfig.AdmissionOrder admissionOrder,
        @Key(absent = "false")
                @Says("Whether the policy may reorder frames of a lossless priority.")
                @Fixed(LAID_OUT)
                boolean reorders,
        @Key(min = "0", max = "1000000000", absent = "1")
                @Says("The seed of the draws for drop(P).")
                @Fixed(LAID_OUT)
                long seed)
        implements Checked {
    static final String LAID_OUT = "the switch's queues are laid out at the start";

    /** What its packets are; which priorities a queue carries follows from the layout. */
    Binding binding() {
        return new Binding(
                List.of(),
                value,
                processing,
                slack,
                flow,
                sizeUnit == PolicyConfig.SizeUnit.PACKETS,
                admissionOrder == PolicyConfig.AdmissionOrder.DROP_FIRST);
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
                            "a policy that does not lay out this switch: " + e.getMessage(),
                            "a policy with ports for each of the switch's, as config/policies has");
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
                reorders,
                "file",
                place);
    }
}
