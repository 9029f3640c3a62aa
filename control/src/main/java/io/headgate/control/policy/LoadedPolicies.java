package io.headgate.control.policy;

import io.headgate.config.Mechanism;
import io.headgate.config.Mechanisms;
import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.dataplane.openqueue.language.Policy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The policies that the ports of a switch have now. */
public final class LoadedPolicies {
    private static final PolicyMechanism MECHANISM = new PolicyMechanism();

    private LoadedPolicies() {}

    /** Of each port that has one: where it is from, its queues, and what it does, in words. */
    public static List<Map<String, Object>> of(SwitchConfig config) {
        List<Map<String, Object>> all = new ArrayList<>();
        for (PortConfig port : config.ports()) {
            for (Mechanisms.Use use : port.mechanisms().of(Mechanism.Kind.QUEUES)) {
                if (use.name().equals(MECHANISM.name())) {
                    all.add(described(port, use));
                }
            }
        }
        return all;
    }

    private static Map<String, Object> described(PortConfig port, Mechanisms.Use use) {
        PolicyConfig policy = MECHANISM.of(use);
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("port", port.name());
        map.put("file", policy.file().path().toString());
        map.put("enabled", use.isEnabled());
        map.put("unit", policy.binding().countsPackets() ? "packets" : "bytes");
        List<Policy.Queue> queues = policy.file().policy().queues();
        map.put("queues", queues.stream().map(Policy.Queue::name).toList());
        map.put("sizes", queues.stream().map(Policy.Queue::size).toList());
        map.put("explanation", PolicyExplanation.of(policy.plan()));
        return map;
    }
}
