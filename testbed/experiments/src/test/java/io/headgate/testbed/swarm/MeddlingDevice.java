package io.headgate.testbed.swarm;

import io.headgate.dataplane.device.DeviceDecorator;
import io.headgate.dataplane.device.PortDevice;
import io.headgate.testbed.virtual.VirtualNode;

/** A device that does what another does, but for the defect that a test plants in it. */
abstract class MeddlingDevice extends DeviceDecorator {
    MeddlingDevice(PortDevice inner) {
        super(inner);
    }

    /** Puts it in the place of a port's device. */
    final void takeOver(VirtualNode node, int port) {
        node.engine().ingress(port).detach();
        node.engine().egress(port).detach(0);
        node.engine().ingress(port).attach(this);
        node.engine().egress(port).attach(this);
    }
}
