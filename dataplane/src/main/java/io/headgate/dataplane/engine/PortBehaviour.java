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
 * The replaceable policies of a port: the classifier of its frames, the threshold of its accounts
 * in a shared buffer, and its queues with their admission and schedule. Chosen outside of the
 * port's halves and handed to them.
 *
 * @param classifier used by both halves
 * @param threshold used by the ingress half; null: thresholds are static
 * @param queues makes the egress half's queues, with their schedule and admission; it may take
 *     long, so no thread that frames wait for calls it
 */
public record PortBehaviour(
        Classifier classifier, @Nullable Threshold threshold, Supplier<Queues> queues) {

    /**
     * Chooses the behaviour of a port. Called again when the configuration changes on which it
     * depends.
     */
    @FunctionalInterface
    public interface Choice {
        PortBehaviour of(PortConfig port, MemoryConfig memory, WireFormat wire);
    }

    /**
     * The behaviour that a port's configuration gives, with one queue per priority unless a
     * mechanism replaces the queues.
     */
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

    /** The threshold of a port's shared pool; null: it has no shared pool. */
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

    /** The schedule that a port's weights give; null: the highest priority first. */
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

    /** Whether a change of configuration requires new queues at a port. */
    static boolean areQueuesOthers(PortConfig before, PortConfig after) {
        List<Mechanisms.Use> uses = after.mechanisms().of(Mechanism.Kind.QUEUES);
        return !uses.equals(before.mechanisms().of(Mechanism.Kind.QUEUES))
                || before.queueLimitBytes() != after.queueLimitBytes()
                || !before.traffic().weights().equals(after.traffic().weights());
    }
}
