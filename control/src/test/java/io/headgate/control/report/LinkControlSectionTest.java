package io.headgate.control.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.config.PortConfig;
import io.headgate.config.read.SwitchConfigReader;
import io.headgate.control.counters.CounterSnapshot;
import io.headgate.dataplane.counter.CounterBlock;
import io.headgate.dataplane.counter.CounterDirectory;
import io.headgate.dataplane.counter.CounterDirectory.Scope;
import io.headgate.dataplane.counter.CounterId;
import io.headgate.dataplane.counter.CounterReader;
import io.headgate.dataplane.flowcontrol.LinkMechanisms;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What {@code headgate show escape} has of the counters of ports. */
final class LinkControlSectionTest {
    private static final PortConfig PORT =
            SwitchConfigReader.read(
                            "name: s1\n"
                                    + "ports: [{name: p1, device: {tap: t1}, flow-control: pfc,"
                                    + " detour: {escape: {enabled: false}}}]",
                            "test")
                    .ports()
                    .getFirst();

    @Test
    void eachPortThatHasItIsAColumn() {
        CounterDirectory directory = new CounterDirectory();
        LinkMechanisms mechanisms = new LinkMechanisms(PORT);
        List<CounterId> received = mechanisms.counters(true);
        List<CounterId> sent = mechanisms.counters(false);
        int[] in = new int[2];
        int[] out = new int[2];
        for (int port = 0; port < 2; port++) {
            String name = "p" + (port + 1);
            in[port] = directory.reserve(Scope.INGRESS, port, name, received);
            out[port] = directory.reserve(Scope.EGRESS, port, name, sent);
        }
        MemorySegment memory = Arena.ofAuto().allocate(directory.lengthBytes(), 128);
        directory.bind(memory, 1, 1);
        set(directory.block(in[1]), received, "escape.received", 7);
        set(directory.block(out[0]), sent, "escape.pool.own", 4);
        set(directory.block(out[1]), sent, "escape.refused.pool", 3);
        CounterSnapshot counters = CounterSnapshot.of(new CounterReader(memory));
        List<LinkControlSection.Row> rows = LinkControlSection.rows(counters, "escape");
        assertThat(LinkControlSection.rows(counters)).as("of all").isEqualTo(rows);
        assertThat(LinkControlSection.rows(counters, "other")).isEmpty();
        assertThat(LinkControlSection.tables(rows))
                .startsWith("counted")
                .contains("received          0   7  tokens that came in")
                .contains(
                        "pool.own          4   0  tokens left for frames that are queued at this"
                                + " port")
                .contains("refused.pool      0   3  tokens that ended here: all are in transit");
    }

    private static void set(CounterBlock block, List<CounterId> ids, String label, long value) {
        for (CounterId id : ids) {
            if (id.label().equals(label)) {
                block.set(id.ordinal(), value);
            }
        }
    }
}
