package io.headgate.dataplane.engine;

import io.headgate.config.Mechanism;
import io.headgate.config.Mechanisms;
import io.headgate.config.SwitchConfig;

/**
 * Numbers the duties of an engine; the number is the duty's index in {@link
 * WorkerPlan#workerOfDuty}.
 *
 * <p>If each egress half is a duty of its own, the halves of port p are duties 2p and 2p + 1. A
 * domain is one duty for the egress halves of all ports, and follows the ingress halves. The owner
 * of the forwarding table is last.
 *
 * @param ports number of the engine's ports, including the local port
 * @param hasDomain whether one duty owns the egress halves of all ports
 */
public record DutyNumbers(int ports, boolean hasDomain) {

    public static DutyNumbers of(SwitchConfig config) {
        return new DutyNumbers(
                config.ports().size() + 1,
                config.mechanisms().of(Mechanism.Kind.DOMAIN).stream()
                        .anyMatch(Mechanisms.Use::isEnabled));
    }

    /** The duty that is a port's ingress half. */
    public int ingress(int port) {
        return hasDomain ? port : 2 * port;
    }

    /** The duty that owns a port's egress half: that half itself, or the domain. */
    public int egress(int port) {
        return hasDomain ? ports : 2 * port + 1;
    }

    /** The duty that owns the forwarding table. */
    public int owner() {
        return hasDomain ? ports + 1 : 2 * ports;
    }

    public int count() {
        return owner() + 1;
    }

    /** The duty that owns a half. */
    int ofHalf(int half) {
        int port = FrameOutbox.portOf(half);
        return FrameOutbox.isIngress(half) ? ingress(port) : egress(port);
    }
}
