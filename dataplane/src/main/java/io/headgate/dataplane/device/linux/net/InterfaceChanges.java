package io.headgate.dataplane.device.linux.net;

import io.headgate.dataplane.device.linux.Structs;
import io.headgate.dataplane.frame.MacAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * Detects changes that others make to an interface after a device has opened it: the device reads
 * these settings only at opening, so they would be wrong from then on, without any other sign.
 */
public final class InterfaceChanges {
    private final LinuxInterface opened;

    /** Compares later states with this one. */
    public InterfaceChanges(LinuxInterface opened) {
        this.opened = opened;
    }

    /** The changes in a sentence that includes the fix; empty: nothing changed. */
    public String in(LinuxInterface now) {
        List<String> changed = new ArrayList<>();
        List<String> mended = new ArrayList<>();
        if (now.mtuBytes() != opened.mtuBytes()) {
            changed.add(
                    "its MTU is now %s instead of %s, so longer frames are lost"
                            .formatted(now.mtuBytes(), opened.mtuBytes()));
            mended.add("mtu " + opened.mtuBytes());
        }
        if (now.mac() != opened.mac()) {
            changed.add(
                    ("its MAC address is now %s instead of %s, but this port continues to use the"
                                    + " old one")
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
