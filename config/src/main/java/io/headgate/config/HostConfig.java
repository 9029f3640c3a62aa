package io.headgate.config;

import java.util.List;

/**
 * What one process of the host agent serves: the resolved configuration, defaults filled in.
 *
 * @param name the agent's name, 1 to 32 letters, digits, {@code -} or {@code _}
 * @param nics network cards, one a host, 1 to 64
 * @param workers threads that run them
 */
public record HostConfig(String name, List<Nic> nics, WorkerConfig workers) {

    public HostConfig {
        nics = List.copyOf(nics);
    }

    /**
     * The network card of one host.
     *
     * @param name the host's name, unique within the agent
     * @param tap what applications use
     * @param device what joins the host to the switch
     * @param rateBps line rate, as the switch's port has it
     * @param receiveRateBps rate at which applications are given what arrives
     * @param mtuBytes largest layer-3 payload, of both sides
     * @param wire priorities and flow control towards the switch
     * @param transmitSlots frames of the applications that may wait in the card
     * @param receiveSlots frames from the wire that may wait, beside those that flow control needs
     * @param holding how senders are held back
     */
    public record Nic(
            String name,
            DeviceConfig.Tap tap,
            DeviceConfig device,
            long rateBps,
            long receiveRateBps,
            int mtuBytes,
            PortTraffic.End wire,
            int transmitSlots,
            int receiveSlots,
            Holding holding) {

        /** Slot size that takes a frame of the MTU with room for tags, in bytes. */
        public int slotBytes() {
            int frameBytes = ConfigDefaults.maxFrameBytes(mtuBytes);
            int slotBytes = 2048;
            while (slotBytes - SLOT_ROOM_BYTES < frameBytes) {
                slotBytes = slotBytes == 2048 ? 4096 : 16_384;
            }
            return slotBytes;
        }
    }

    /** What a slot holds beside the frame. */
    private static final int SLOT_ROOM_BYTES = 320;

    /**
     * How applications that send are held back.
     *
     * @param backlogBytes what may wait in the TAP's queueing discipline, charged to the sockets
     * @param floorBps the least rate to which they are held
     * @param tapQueueFrames what the TAP holds while nobody reads it
     */
    public record Holding(int backlogBytes, long floorBps, int tapQueueFrames) {
        private static final long FLOOR_BPS = 10_000_000;
        private static final long LONGEST_FRAME_NS = 2_000_000;

        /** The least floor: 10 Mb/s, or a frame of the MTU in 2 ms if that is more. */
        public static long leastFloorBps(int mtuBytes) {
            long bits =
                    8L
                            * new Headroom(FLOOR_BPS, mtuBytes, FlowControlConfig.Link.DEFAULT)
                                    .maxWireBytes();
            return Math.max(FLOOR_BPS, Math.ceilDiv(bits * 1_000_000_000L, LONGEST_FRAME_NS));
        }
    }
}
