package io.headgate.dataplane.openqueue;

import io.headgate.config.key.Key;
import io.headgate.config.key.Says;
import io.headgate.dataplane.openqueue.language.PolicyException;
import io.headgate.dataplane.queue.Queues;
import io.headgate.dataplane.queue.QueuesMechanism;
import io.headgate.dataplane.queue.QueuesSetup;
import io.headgate.dataplane.random.NamedRandom;

/** Queues of a policy: what is worth least, by its priority, is pushed out where one is full. */
public final class PushOut implements QueuesMechanism<PushOut.Configuration> {

    /**
     * How much it holds.
     *
     * @param frames of all priorities
     */
    public record Configuration(
            @Key(min = "1", max = "1000", absent = "1000") @Says("Frames that it holds.")
                    int frames) {}

    @Override
    public String name() {
        return "push-out";
    }

    @Override
    public String says() {
        return "Where it is full, the frame of the lowest priority goes.";
    }

    @Override
    public Class<Configuration> configuration() {
        return Configuration.class;
    }

    @Override
    public Queues queues(Configuration configuration, QueuesSetup setup) {
        String text =
                """
                import "standard.oq"
                q1 = Queue(%d);
                q1.admPrio = most_valuable;
                q1.procPrio = fifo;
                q1.congestion = tailDrop;
                out = Port(q1);
                """
                        .formatted(configuration.frames());
        try {
            Binding binding = Binding.standard(1, false).countingPackets(true);
            return new CompiledPolicy(PolicyPlan.of(Policies.of(text), binding))
                    .queues(NamedRandom.of(1, setup.port(), "policy"));
        } catch (PolicyException e) {
            throw new IllegalStateException(e);
        }
    }
}
