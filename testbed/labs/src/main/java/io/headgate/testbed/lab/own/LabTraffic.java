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
                @Says("What measures call its flows; several entries may have the same.")
                @Otherwise("none")
                @Allowed("1 to 24 letters, digits, - or _, such as victim; no host's name")
                String name,
        @Key(pattern = LabFile.NAME)
                @Says("Hosts that send, each a flow of its own.")
                @Allowed(LabFile.HOSTS)
                @Items(min = 1, max = 128, orOne = true, each = LabFile.A_HOST)
                List<String> from,
        @Key(pattern = LabFile.NAME)
                @Says("Hosts that receive, each a flow of its own.")
                @Allowed(LabFile.HOSTS)
                @Items(min = 1, max = 128, orOne = true, each = LabFile.A_HOST)
                List<String> to,
        @Key(absent = "tcp")
                @Says("What carries it.")
                @Allowed("tcp, udp, rdma (RoCEv2), or probe (numbered datagrams that tell outages)")
                Protocol protocol,
        @Key(quantity = DELAY, min = "1ms", max = "1s", absent = "5ms")
                @Says("Of probe: time between two datagrams.")
                long intervalPs,
        @Key(absent = "write") @Says("Of rdma: by which verb messages are sent.") Verb verb,
        @Key(quantity = SIZE, min = "1B", max = "64MB", absent = "65536B")
                @Says("Of rdma: bytes of a message; times queue-pairs at most 64 MiB.")
                @Allowed("a size such as 1MB, from 1B to 64MB")
                int messageBytes,
        @Key(min = "1", max = "64", absent = "1", example = "4")
                @Says("Of rdma: connections of each flow.")
                int queuePairs,
        @Key(unit = "messages", min = "1", max = "4096", absent = "4", example = "16")
                @Says("Of rdma: messages of a connection under way.")
                int depth,
        @Key(quantity = DELAY, min = "1ms", max = "60s", example = "500ms")
                @Says(
                        "Of rdma: packets are sent again that no acknowledgement came for in that"
                                + " time.")
                @Otherwise("67ms, or what 16 MB take on the host's link if that is longer")
                long timeoutPs,
        @Key(absent = "rocev2")
                @Says("Of rdma: what is sent again, all packets from a lost one on, or that one.")
                Transport transport,
        @Key(unit = "packets", min = "1", max = "100", absent = "3")
                @Says(
                        "With transport: selective. A packet is lost once one that was sent this"
                                + " many packets later has come.")
                int reordering,
        @Key(codec = RateControlKey.class) @Says(RateControlKey.SAYS)
                Mechanisms.@Nullable Use control,
        @Key(quantity = RATE, min = "10kbps", max = "100Gbps", example = "50Mbps")
                @Says("What UDP sends, payload alone; TCP sends as fast as it can.")
                @Otherwise("needed with udp")
                long rateBps,
        @Key(quantity = DELAY, min = "0s", max = "3600s", absent = "0s")
                @Says("When it begins, after the lab's traffic has begun.")
                @Allowed(LabFile.TIME)
                long startPs,
        @Key(quantity = DELAY, min = "1ms", max = "3600s")
                @Says("How long it lasts.")
                @Otherwise("until the lab's end")
                @Allowed(LabFile.SECONDS + ", or of rdma whole milliseconds")
                @Nullable Long durationPs,
        @Key(min = "0", max = "63", absent = "0", example = "26") @Says("DSCP of its packets.")
                int dscp,
        @Key(quantity = SIZE, min = "4kB", max = "1GB")
                @Says(
                        "What both its sockets are asked to hold (iperf3 -w); the kernel grants at"
                                + " most net.core.rmem_max and wmem_max.")
                @Otherwise("as the kernel has it")
                @Allowed("a size such as 1MB, from 4kB to 1GB")
                int socketBytes,
        @Key(unit = "datagrams", min = "1", max = "1000", example = "100")
                @Says(
                        "Of udp: datagrams that are sent one right after another, and then none"
                                + " until the rate allows the next burst.")
                @Otherwise("they are spread evenly")
                int burst,
        @Key(absent = "none")
                @Says(
                        "Of udp: the ECN code point that packets start with; with dscp it is the"
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
