package io.headgate.dataplane.device.linux.net;

import io.headgate.dataplane.device.linux.Structs;
import io.headgate.dataplane.frame.MacAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * What an interface was when a device opened it, and what others have changed since: what a device
 * only reads at opening would be wrong from then on, and nothing else says so.
 */
public final class InterfaceChanges {
    private final LinuxInterface opened;

    /** From now on. */
    public InterfaceChanges(LinuxInterface opened) {
        this.opened = opened;
    }

    /** The changes in a sentence that includes the fix; empty: nothing changed. */
    public String in(LinuxInterface now) {
        List<String> changed = new ArrayList<>();
        List<String> mended = new ArrayList<>();
        if (now.mtuBytes() != opened.mtuBytes()) {
            changed.add(
                    "its MTU is %s and was %s, so longer frames are lost"
                            .formatted(now.mtuBytes(), opened.mtuBytes()));
            mended.add("mtu " + opened.mtuBytes());
        }
        if (now.mac() != opened.mac()) {
            changed.add(
                    "its MAC address is %s and was %s, which this port goes on to send and answer with"
                            .formatted(
                                    MacAddress.format(now.mac()), MacAddress.format(opened.mac())));
            mended.add("address " + MacAddress.format(opened.mac()));
        }
        return changed.isEmpty()
                ? ""
                : "another tool changed %s: %s; run %s, or start again"
                        .formatted(
                                now.where(),
                                String.join("; ", changed),
                                Structs.command(
                                        now.netns(),
                                        "ip link set "
                                                + now.name()
                                                + " "
                                                + String.join(" ", mended)));
    }
}
