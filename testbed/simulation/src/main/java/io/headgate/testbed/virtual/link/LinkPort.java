package io.headgate.testbed.virtual.link;

import io.headgate.dataplane.engine.EgressHalf;
import io.headgate.dataplane.engine.IngressHalf;
import io.headgate.dataplane.memory.FrameRegion;

/**
 * The data of a node's port that a link needs.
 *
 * @param node the node's number in the run
 * @param nodeName the node's name
 * @param port its number at the node
 * @param ingressDuty the ingress half's number among its node's duties
 * @param egressDuty the egress half's
 * @param region memory of the node's frames
 * @param keepsFrames whether frames wait while the link is down, as in a host's card; a switch's
 *     port drops them
 */
public record LinkPort(
        int node,
        String nodeName,
        int port,
        IngressHalf ingress,
        int ingressDuty,
        EgressHalf egress,
        int egressDuty,
        FrameRegion region,
        boolean keepsFrames) {

    @Override
    public String toString() {
        return nodeName + ":" + port;
    }
}
