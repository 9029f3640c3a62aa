package io.headgate.control.policy;

import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.openqueue.CompiledPolicy;
import io.headgate.dataplane.openqueue.PolicyCounter;
import io.headgate.dataplane.openqueue.PolicyPlan;
import io.headgate.dataplane.openqueue.language.Policy;
import io.headgate.dataplane.queue.Queues;
import io.headgate.dataplane.queue.QueuesMechanism;
import io.headgate.dataplane.queue.QueuesSetup;
import io.headgate.dataplane.random.NamedRandom;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/**
 * The mechanism for the queues of an OpenQueue policy: it is compiled when a port is configured
 * with it, once for all ports whose policy is carried out in the same way.
 */
public final class PolicyMechanism implements QueuesMechanism<PolicyConfig> {
    private static final int MOST_KEPT = 64;

    /** The policies that were asked for last, the latest at the end. */
    private final SequencedMap<PolicyPlan, CompiledPolicy> compiled = new LinkedHashMap<>();

    @Override
    public List<CounterText> counters() {
        return PolicyCounter.texts();
    }

    @Override
    public int countedQueues() {
        return Policy.MOST_QUEUES;
    }

    @Override
    public Queues queues(PolicyConfig configuration, QueuesSetup setup) {
        return compiled(configuration.plan())
                .queues(NamedRandom.of(configuration.seed(), setup.port(), "policy"));
    }

    private synchronized CompiledPolicy compiled(PolicyPlan plan) {
        CompiledPolicy known = compiled.remove(plan);
        CompiledPolicy policy = known == null ? new CompiledPolicy(plan) : known;
        compiled.putLast(plan, policy);
        if (compiled.size() > MOST_KEPT) {
            compiled.pollFirstEntry();
        }
        return policy;
    }
}
