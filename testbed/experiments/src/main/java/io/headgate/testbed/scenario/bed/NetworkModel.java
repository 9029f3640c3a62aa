package io.headgate.testbed.scenario.bed;

import io.headgate.config.SwitchConfig;
import io.headgate.config.Withers;
import io.headgate.dataplane.queue.WireFormat;
import io.headgate.testbed.topology.LinkSpec;
import io.headgate.testbed.topology.NetworkPlan;
import io.headgate.testbed.traffic.spec.FlowSpec;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A model in which switches or acknowledgements differ from real ones. Virtual bed only, except
 * {@link #PLAIN}.
 *
 * @param outOfBand how acknowledgements travel outside the network; null: they are frames
 * @param adjust change of the switches' configurations
 */
@Withers
public record NetworkModel(@Nullable OutOfBand outOfBand, UnaryOperator<SwitchConfig> adjust)
        implements NetworkModelBuilder.With {
    /** The model of real switches and hosts. */
    public static final NetworkModel PLAIN = new NetworkModel(null, UnaryOperator.identity());

    private static final double PS_PER_S = 1e12;

    /**
     * Acknowledgements that never queue, because they are very short: they always take the same
     * time.
     *
     * @param linkPs time on each link, in ps
     * @param switchPs time in each switch, in ps
     */
    public record OutOfBand(long linkPs, long switchPs) {
        /** Time from when a flow's receiver takes a frame until its sender knows it. */
        long latencyPs(NetworkPlan plan, FlowSpec flow) {
            int links = plan.linksBetween(flow.source(), flow.destination());
            LinkSpec last = plan.path(flow.source(), flow.destination()).getLast().spec();
            return links * linkPs + (links - 1) * switchPs + tailPs(last, flow);
        }

        /** A frame that is there by its header is acknowledged when its last bit has come. */
        private static long tailPs(LinkSpec link, FlowSpec flow) {
            if (link.deliverAt() != LinkSpec.Delivery.HEADER) {
                return 0;
            }
            WireFormat wire = WireFormat.ETHERNET;
            int frameBytes =
                    flow.shape().frameLengthBytes(flow.shape().segmentation().maxSegmentBytes());
            int bytes = wire.wireBytes(frameBytes) - wire.gapBytes();
            return Math.max(0, Math.round(bytes * 8 * PS_PER_S / link.rateBps()) - link.headerPs());
        }
    }
}
