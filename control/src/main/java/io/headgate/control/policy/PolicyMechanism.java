package io.headgate.control.policy;

import io.headgate.dataplane.counter.CounterText;
import io.headgate.dataplane.openqueue.CompiledPolicy;
import io.headgate.dataplane.openqueue.PolicyCounter;
import io.headgate.dataplane.openqueue.language.Policy;
import io.headgate.dataplane.queue.Queues;
import io.headgate.dataplane.queue.QueuesMechanism;
import io.headgate.dataplane.queue.QueuesSetup;
import io.headgate.dataplane.random.NamedRandom;
import java.util.List;

/** Queues of an OpenQueue policy: compiled when the port is configured, or configured anew. */
public final class PolicyMechanism implements QueuesMechanism<PolicyConfig> {

    @Override
    public String name() {
        return "policy";
    }

    @Override
    public String says() {
        return "Frames are queued as an OpenQueue policy says (config/policies/README.md).";
    }

    @Override
    public Class<PolicyConfig> configuration() {
        return PolicyConfig.class;
    }

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
        return CompiledPolicy.of(configuration.plan())
                .queues(NamedRandom.of(configuration.seed(), setup.port().name(), "policy"));
    }
}
