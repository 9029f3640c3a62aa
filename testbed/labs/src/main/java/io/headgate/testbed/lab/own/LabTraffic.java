package io.headgate.testbed.lab.own;

import static io.headgate.config.key.Quantity.DELAY;
import static io.headgate.config.key.Quantity.RATE;
import static io.headgate.config.key.Quantity.SIZE;

import io.headgate.config.Mechanisms;
import io.headgate.config.key.Allowed;
import io.headgate.config.key.Items;
import io.headgate.config.key.Key;
import io.headgate.config.key.Otherwise;
import io.headgate.config.key.Says;
import io.headgate.config.read.RateControlKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An entry of a lab's {@code traffic}. */
record LabTraffic(
        @Key(pattern = LabFile.NAME)
                @Says("Name of these flows in measures; several entries may have the same name.")
                @Otherwise("none")
                @Allowed("1 to 24 letters, digits, - or _, such as victim; no host's name")
                String name,
        @Key(pattern = LabFile.NAME)
                @Says("Hosts that send, each with its own flow.")
                @Allowed(LabFile.HOSTS)
                @Items(min = 1, max = 128, orOne = true, each = LabFile.A_HOST)
                List<String> from,
        @Key(pattern = LabFile.NAME)
                @Says("Hosts that receive, each with its own flow.")
                @Allowed(LabFile.HOSTS)
                @Items(min = 1, max = 128, orOne = true, each = LabFile.A_HOST)
                List<String> to,
        @Key(absent = "tcp")
                @Says("The protocol of the flows.")
                @Allowed("tcp, udp, rdma (RoCEv2), or probe (numbered datagrams that show outages)")
                Protocol protocol,
        @Key(quantity = DELAY, min = "1ms", max = "1s", absent = "5ms")
                @Says("For probe: time between two datagrams.")
                long intervalPs,
        @Key(absent = "write") @Says("For rdma: the verb of messages.") Verb verb,
        @Key(quantity = SIZE, min = "1B", max = "64MB", absent = "65536B")
                @Says("For rdma: size of a message; times queue-pairs at most 64 MiB.")
                @Allowed("a size such as 1MB, from 1B to 64MB")
                int messageBytes,
        @Key(min = "1", max = "64", absent = "1", example = "4")
                @Says("For rdma: number of connections of each flow.")
                int queuePairs,
        @Key(unit = "messages", min = "1", max = "4096", absent = "4", example = "16")
                @Says("For rdma: number of outstanding messages per connection.")
                int depth,
        @Key(quantity = DELAY, min = "1ms", max = "60s", example = "500ms")
                @Says(
                        "For rdma: packets are sent again after this time without an"
                                + " acknowledgement.")
                @Otherwise("67ms, or the time of 16 MB on the host's link if that is longer")
                long timeoutPs,
        @Key(absent = "rocev2")
                @Says(
                        "For rdma: whether all packets from a lost one on are sent again, or only"
                                + " the lost one.")
                Transport transport,
        @Key(unit = "packets", min = "1", max = "100", absent = "3")
                @Says(
                        "With transport: selective. A packet counts as lost when a packet that was"
                                + " sent this many packets later has arrived.")
                int reordering,
        @Key(codec = RateControlKey.class) @Says(RateControlKey.SAYS)
                Mechanisms.@Nullable Use control,
        @Key(quantity = RATE, min = "10kbps", max = "100Gbps", example = "50Mbps")
                @Says("Rate of UDP, payload only; TCP sends as fast as it can.")
                @Otherwise("needed with udp")
                long rateBps,
        @Key(quantity = DELAY, min = "0s", max = "3600s", absent = "0s")
                @Says("Start of the flows, from the start of the lab's traffic.")
                @Allowed(LabFile.TIME)
                long startPs,
        @Key(quantity = DELAY, min = "1ms", max = "3600s")
                @Says("Duration of the flows.")
                @Otherwise("until the lab's end")
                @Allowed(LabFile.SECONDS + ", or for rdma whole milliseconds")
                @Nullable Long durationPs,
        @Key(min = "0", max = "63", absent = "0", example = "26") @Says("DSCP of its packets.")
                int dscp,
        @Key(quantity = SIZE, min = "4kB", max = "1GB")
                @Says(
                        "Requested buffer size of both sockets (iperf3 -w); the kernel grants at"
                                + " most net.core.rmem_max and wmem_max.")
                @Otherwise("the kernel's default")
                @Allowed("a size such as 1MB, from 4kB to 1GB")
                int socketBytes,
        @Key(unit = "datagrams", min = "1", max = "1000", example = "100")
                @Says(
                        "For udp: number of datagrams that are sent back to back; then none until"
                                + " the rate allows the next burst.")
                @Otherwise("datagrams are spread evenly")
                int burst,
        @Key(absent = "none")
                @Says(
                        "For udp: the ECN code point of sent packets; together with dscp it is the"
                                + " type of service.")
                Ecn ecn,
        @Key(pattern = "^[a-z0-9_]{1,16}$")
                @Says("Congestion control of TCP.")
                @Otherwise("the kernel's")
                @Allowed("a name that the kernel knows, such as reno or cubic")
                String tcpControl) {
    enum Protocol {
        TCP,
        UDP,
        RDMA,
        PROBE
    }

    enum Verb {
        WRITE,
        SEND
    }

    enum Transport {
        ROCEV2,
        SELECTIVE
    }

    enum Ecn {
        NONE(0),
        ECT0(2),
        ECT1(1),
        CE(3);

        final int bits;

        Ecn(int bits) {
            this.bits = bits;
        }
    }
}
