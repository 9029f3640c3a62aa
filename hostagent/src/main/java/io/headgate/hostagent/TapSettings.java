package io.headgate.hostagent;

import io.headgate.config.HostConfig;
import io.headgate.dataplane.device.DeviceException;
import io.headgate.dataplane.device.linux.Structs;
import io.headgate.dataplane.device.linux.net.LinuxInterface;
import io.headgate.dataplane.device.linux.net.Offload;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The settings that a host's TAP needs so that its senders can be held back without a loss. They
 * are set when it is opened and checked repeatedly, since other tools may change them.
 *
 * @param netns null: our own
 */
record TapSettings(@Nullable String netns, String name, int mtuBytes, int queueFrames) {

    static TapSettings of(HostConfig.Nic nic) {
        return new TapSettings(
                nic.tap().netns(),
                nic.tap().interfaceName(),
                nic.mtuBytes(),
                nic.throttling().tapQueueFrames());
    }

    /** The TAP's name and namespace, for a person. */
    String where() {
        return Structs.where(name, netns == null ? "" : netns);
    }

    private record Setting(
            String what, Predicate<LinuxInterface> holds, ToInterface puts, String was) {}

    private interface ToInterface {
        void put(LinuxInterface on) throws DeviceException;
    }

    private List<Setting> all(LinuxInterface now) {
        return List.of(
                new Setting(
                        "its MTU is " + mtuBytes + " again",
                        one -> one.mtuBytes() == mtuBytes,
                        one -> one.setMtuBytes(mtuBytes),
                        "was " + now.mtuBytes()),
                new Setting(
                        "its queue has " + queueFrames + " frames again",
                        one -> one.transmitQueueFrames() == queueFrames,
                        one -> one.setTransmitQueueFrames(queueFrames),
                        "had " + now.transmitQueueFrames()),
                // One frame at a time: what the kernel has made longer than the token bucket would
                // never leave.
                new Setting(
                        "gso is off again",
                        one -> !one.offloads().contains(Offload.GSO),
                        one -> one.set(Offload.GSO, false),
                        "was on"));
    }

    /**
     * Restores settings that others have changed; returns a sentence about that, or about settings
     * that stay wrong. Empty: no change.
     */
    String trouble() {
        try {
            List<String> changed = hold();
            return changed.isEmpty()
                    ? ""
                    : "another tool changed %s; restored: %s"
                            .formatted(where(), String.join(", ", changed));
        } catch (DeviceException e) {
            return "another tool changed %s, and it cannot be restored: %s"
                    .formatted(where(), e.getMessage());
        }
    }

    /**
     * Restores wrong settings.
     *
     * @return the restored settings, each a part of a sentence
     * @throws DeviceException if the interface is gone, or the kernel refuses
     */
    List<String> hold() throws DeviceException {
        LinuxInterface now = LinuxInterface.read(netns, name);
        List<String> changed = new ArrayList<>();
        for (Setting one : all(now)) {
            if (!one.holds.test(now)) {
                one.puts.put(now);
                changed.add(one.what + " (" + one.was + ")");
            }
        }
        return changed;
    }
}
