package io.headgate.control.policy;

import io.headgate.config.Mechanism;
import io.headgate.config.Mechanisms;
import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.dataplane.openqueue.Binding;
import io.headgate.dataplane.openqueue.FabricLayout;
import io.headgate.dataplane.openqueue.language.Policy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The policy that a port of a switch has now, its own or a part of one that lays out the switch.
 */
public record LoadedPolicy(
        String port,
        String mechanism,
        String file,
        boolean enabled,
        String unit,
        List<String> queues,
        List<Double> sizes,
        List<String> explanation) {
    private static final PolicyMechanism MECHANISM = new PolicyMechanism();
    private static final FabricMechanism FABRIC = new FabricMechanism();

    /** The policy of each port that has one. */
    public static List<LoadedPolicy> of(SwitchConfig config) {
        List<LoadedPolicy> all = new ArrayList<>();
        for (Mechanisms.Use use : config.mechanisms().of(Mechanism.Kind.DOMAIN)) {
            if (use.name().equals(FABRIC.name())) {
                all.addAll(fabric(config.ports(), use));
            }
        }
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
        return of(
                port,
                use,
                policy.file(),
                policy.binding(),
                policy.file().policy().queues(),
                PolicyExplanation.of(policy.plan()));
    }

    private static List<LoadedPolicy> fabric(List<PortConfig> ports, Mechanisms.Use use) {
        FabricConfig fabric = FABRIC.of(use);
        Policy policy = fabric.file().policy();
        FabricLayout layout = FabricLayout.of(policy, ports.size());
        List<LoadedPolicy> all = new ArrayList<>();
        for (int port = 0; port < ports.size(); port++) {
            List<Policy.Queue> queues =
                    Arrays.stream(layout.queuesFor(port)).mapToObj(policy.queues()::get).toList();
            String names = String.join(", ", queues.stream().map(Policy.Queue::name).toList());
            all.add(
                    of(
                            ports.get(port),
                            use,
                            fabric.file(),
                            fabric.binding(),
                            queues,
                            List.of("the switch's queues that lead to this port: " + names)));
        }
        return all;
    }

    private static LoadedPolicy of(
            PortConfig port,
            Mechanisms.Use use,
            PolicyFile file,
            Binding binding,
            List<Policy.Queue> queues,
            List<String> explanation) {
        return new LoadedPolicy(
                port.name(),
                use.name(),
                file.path().toString(),
                use.isEnabled(),
                binding.countsPackets() ? "packets" : "bytes",
                queues.stream().map(Policy.Queue::name).toList(),
                queues.stream().map(Policy.Queue::size).toList(),
                explanation);
    }
}
