package io.headgate.dataplane.engine;

import io.headgate.config.read.SwitchConfigReader;
import java.nio.ByteBuffer;

/**
 * Switches with lossless priorities, and frames for them; numbered, one a microsecond at 10 Gb/s.
 */
final class LosslessTraffic {
    /** With preamble, FCS and gap 1,250 bytes: a microsecond at 10 Gb/s. */
    static final int FRAME_BYTES = 1226;

    static final int LOSSLESS = 26 << 2;
    static final int LOSSY = 10 << 2;
    static final long SENDER = 0x0200_0000_0100L;

    /** Reactions of 2 µs at both ends: what the hosts here take. */
    static final String PFC =
            "flow-control: pfc, link: {delay: 0ns, own-reaction: 2us, peer-reaction: 3us},"
                    + " buffers: {xoff: 50kB, xon: 40kB}";

    static TestSwitch lossless(int ports, String keys) {
        return lossless(ports, keys, "");
    }

    /** With keys of the switch, each on a line of its own, before its ports'. */
    static TestSwitch lossless(int ports, String keys, String ofSwitch) {
        StringBuilder text = new StringBuilder("name: s1\nbridge: {flood-limit: 100M/s}\n");
        text.append(ofSwitch);
        text.append("defaults: {rate: 10Gbps,");
        text.append(" account-cap-slots: 64, classify: {trust: dscp}, ").append(keys);
        text.append("}\nports:\n");
        for (int port = 0; port < ports; port++) {
            text.append("  - {name: p").append(port);
            text.append(", device: {afpacket: v").append(port).append("}}\n");
        }
        return new TestSwitch(SwitchConfigReader.read(text.toString(), "test.yaml"));
    }

    /** An IPv4 frame with a traffic class and a number. */
    static byte[] frame(int source, int destination, int trafficClass, int number) {
        ByteBuffer frame = ByteBuffer.allocate(FRAME_BYTES);
        frame.putShort((short) 0x0200).putInt(destination);
        frame.putShort((short) 0x0200).putInt(source).putShort((short) 0x0800);
        frame.put((byte) 0x45).put((byte) trafficClass).putShort((short) (FRAME_BYTES - 14));
        frame.putInt(0).put((byte) 64).put((byte) 17).putShort((short) 0);
        frame.putInt(0x0A00_0000 | source).putInt(0x0A00_0000 | destination);
        return frame.putInt(number).array();
    }

    static int number(byte[] frame) {
        return ByteBuffer.wrap(frame).getInt(34);
    }

    private LosslessTraffic() {}
}
