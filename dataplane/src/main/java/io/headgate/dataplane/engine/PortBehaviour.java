package io.headgate.dataplane.engine;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.FlowControlConfig;
import io.headgate.config.Mechanism;
import io.headgate.config.MechanismRegistry;
import io.headgate.config.Mechanisms;
import io.headgate.config.MemoryConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.TrafficConfig;
import io.headgate.dataplane.flowcontrol.AlphaThreshold;
import io.headgate.dataplane.flowcontrol.Classifier;
import io.headgate.dataplane.flowcontrol.ThresholdMechanism;
import io.headgate.dataplane.policy.Schedule;
import io.headgate.dataplane.policy.Threshold;
import io.headgate.dataplane.queue.Queues;
import io.headgate.dataplane.queue.QueuesMechanism;
import io.headgate.dataplane.queue.QueuesSetup;
import io.headgate.dataplane.queue.TransmissionSelection;
import io.headgate.dataplane.queue.WireFormat;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a port does where it could do otherwise: which priority a frame has, how much of a shared
 * buffer each may hold, what queues the port's frames, which of them it takes and which is served
 * next. Chosen outside of the port's halves, and handed to them.
 *
 * @param classifier both halves'
 * @param threshold the ingress half's; null: thresholds are static
 * @param queues makes the egress half's own, with the schedule and the admission that they ask;
 *     that may take long, so it is asked where no frame waits for the answer
 */
public record PortBehaviour(
        Classifier classifier, @Nullable Threshold threshold, Supplier<Queues> queues) {

    /** Chooses what a port does. Asked again where a configuration changes that it follows from. */
    @FunctionalInterface
    public interface Choice {
        PortBehaviour of(PortConfig port, MemoryConfig memory, WireFormat wire);
    }

    /** What a port does as its configuration says: its eight priorities are queues. */
    public static PortBehaviour configured(PortConfig port, MemoryConfig memory, WireFormat wire) {
        return new PortBehaviour(
                new Classifier(port.traffic()),
                threshold(port),
                () -> configuredQueues(port, memory, wire));
    }

    private static Queues configuredQueues(PortConfig port, MemoryConfig memory, WireFormat wire) {
        QueuesSetup setup = QueuesSetup.of(port, memory, wire);
        for (Mechanisms.Use use : port.mechanisms().of(Mechanism.Kind.QUEUES)) {
            if (use.isEnabled()
                    && MechanismRegistry.find(use.kind(), use.name())
                            instanceof QueuesMechanism<?> mechanism) {
                return setup.of(mechanism, use);
            }
        }
        return setup.byPriority(configuredSchedule(port, memory, wire), null);
    }

    public PortBehaviour withQueues(Supplier<Queues> other) {
        return new PortBehaviour(classifier, threshold, other);
    }

    /** The threshold of a port's shared pool; null: it shares none. */
    private static @Nullable Threshold threshold(PortConfig port) {
        FlowControlConfig.Buffers buffers = port.flowControl().buffers();
        Integer alpha = buffers == null ? null : buffers.alphaExponent();
        if (alpha == null) {
            return null;
        }
        for (Mechanisms.Use use : port.mechanisms().of(Mechanism.Kind.THRESHOLD)) {
            if (use.isEnabled()
                    && MechanismRegistry.find(use.kind(), use.name())
                            instanceof ThresholdMechanism<?> mechanism) {
                return threshold(mechanism, use, new AlphaThreshold(alpha), port);
            }
        }
        return new AlphaThreshold(alpha);
    }

    private static <C extends Record> Threshold threshold(
            ThresholdMechanism<C> mechanism, Mechanisms.Use use, Threshold alpha, PortConfig port) {
        return mechanism.threshold(mechanism.of(use), alpha, port);
    }

    /** How a port's weights choose what is sent next; null: the highest priority first. */
    public static @Nullable Schedule configuredSchedule(
            PortConfig port, MemoryConfig memory, WireFormat wire) {
        List<Integer> weights = port.traffic().weights();
        return weights.stream().allMatch(weight -> weight == TrafficConfig.STRICT)
                ? null
                : new TransmissionSelection(
                        weights.stream().mapToInt(Integer::intValue).toArray(),
                        ConfigDefaults.maxFrameBytes(port.queuedPayloadBytes(memory)),
                        wire);
    }

    /** Whether the queues of a port would be others with another configuration. */
    static boolean areQueuesOthers(PortConfig before, PortConfig after) {
        List<Mechanisms.Use> uses = after.mechanisms().of(Mechanism.Kind.QUEUES);
        return !uses.equals(before.mechanisms().of(Mechanism.Kind.QUEUES))
                || before.queueLimitBytes() != after.queueLimitBytes()
                || !before.traffic().weights().equals(after.traffic().weights());
    }
}
