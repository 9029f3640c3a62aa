package io.headgate.dataplane.device.linux.net;

/**
 * An offload: work that an interface leaves to hardware, which may not exist: on a veth, the frame
 * arrives at the other end with the work undone. Read and set through ethtool's one-word commands,
 * which act on a whole group of kernel features like {@code ethtool -K}; an offload without such a
 * command through the kernel's feature of that name.
 */
public enum Offload {
    RX_CHECKSUM("rx", 0x14, 0x15, 0),
    TX_CHECKSUM("tx", 0x16, 0x17, 0),
    SCATTER_GATHER("sg", 0x18, 0x19, 0),
    TSO("tso", 0x1e, 0x1f, 0),
    GSO("gso", 0x23, 0x24, 0),
    GRO("gro", 0x2b, 0x2c, 0),
    LRO("lro", 0x25, 0x26, 1 << 15),
    RX_VLAN("rxvlan", 0x25, 0x26, 1 << 8),
    TX_VLAN("txvlan", 0x25, 0x26, 1 << 7),
    /** The same for the outer tags of IEEE 802.1ad. */
    RX_STAG("rx-vlan-stag-hw-parse", 0, 0, 0),
    TX_STAG("tx-vlan-stag-hw-insert", 0, 0, 0);

    private final String label;

    /** ethtool's command to read it; 0 if there is only the kernel's feature. */
    final int getCommand;

    final int setCommand;

    /** Bit of the offload in the word of flags, or 0 if the word is the offload. */
    final int flag;

    Offload(String label, int getCommand, int setCommand, int flag) {
        this.label = label;
        this.getCommand = getCommand;
        this.setCommand = setCommand;
        this.flag = flag;
    }

    /** Its name in {@code ethtool -K}. */
    public String label() {
        return label;
    }
}
