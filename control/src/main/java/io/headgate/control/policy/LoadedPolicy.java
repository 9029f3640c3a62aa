package io.headgate.control.policy;

import io.headgate.config.Mechanism;
import io.headgate.config.Mechanisms;
import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.dataplane.openqueue.language.Policy;
import java.util.ArrayList;
import java.util.List;

/**
 * The policy that a port of a switch has now.
 *
 * @param unit of the sizes of its queues
 * @param explanation what it does, in words
 */
public record LoadedPolicy(
        String port,
        String file,
        boolean enabled,
        String unit,
        List<String> queues,
        List<Double> sizes,
        List<String> explanation) {
    private static final PolicyMechanism MECHANISM = new PolicyMechanism();

    /** Of each port that has one. */
    public static List<LoadedPolicy> of(SwitchConfig config) {
        List<LoadedPolicy> all = new ArrayList<>();
        for (PortConfig port : config.ports()) {
            for (Mechanisms.Use use : port.mechanisms().of(Mechanism.Kind.QUEUES)) {
                if (use.name().equals(MECHANISM.name())) {
                    all.add(of(port, use));
                }
            }
        }
        return all;
    }

    private static LoadedPolicy of(PortConfig port, Mechanisms.Use use) {
        PolicyConfig policy = MECHANISM.of(use);
        List<Policy.Queue> queues = policy.file().policy().queues();
        return new LoadedPolicy(
                port.name(),
                policy.file().path().toString(),
                use.isEnabled(),
                policy.binding().countsPackets() ? "packets" : "bytes",
                queues.stream().map(Policy.Queue::name).toList(),
                queues.stream().map(Policy.Queue::size).toList(),
                PolicyExplanation.of(policy.plan()));
    }
}
