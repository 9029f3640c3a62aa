package io.headgate.testbed.virtual;

import io.headgate.dataplane.engine.EgressHalf;
import io.headgate.dataplane.engine.Engine;
import io.headgate.dataplane.engine.IngressHalf;
import io.headgate.dataplane.memory.Accounts;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.SlotPlace;
import io.headgate.testbed.virtual.time.VirtualClock;
import java.util.Arrays;

/**
 * Checks the slots of one node: each is in one place, its halves agree on that, and their accounts
 * sum to the frames that are charged to them. Counts all frames at each check, into the same
 * arrays.
 */
final class SlotCheck {
    private final VirtualClock clock;
    private final VirtualNode node;
    private final MadeFrames made;

    // By port, as the frames tell.
    private final int[] unmade;
    private final int[] free;
    private final int[] freeForLink;
    private final int[] heldByEgress;

    // By port and account, as the frames tell.
    private final long[] bytes;
    private final int[] slots;

    // Number of frames when the slots without one were counted.
    private int countedFrames = -1;

    SlotCheck(VirtualClock clock, VirtualNode node, MadeFrames made) {
        this.clock = clock;
        this.node = node;
        this.made = made;
        int ports = node.engine().ports();
        this.unmade = new int[ports];
        this.free = new int[ports];
        this.freeForLink = new int[ports];
        this.heldByEgress = new int[ports];
        this.bytes = new long[ports * Accounts.COUNT];
        this.slots = new int[ports * Accounts.COUNT];
    }

    /**
     * Counts the frames, and compares with what the halves say.
     *
     * @throws IllegalStateException with what does not hold, where and when
     */
    void check() {
        Frame[] frames = made.all();
        if (countedFrames != frames.length) {
            countUnmade(frames);
        }
        count(frames);
        Engine engine = node.engine();
        for (int port = 0; port < free.length; port++) {
            IngressHalf in = engine.ingress(port);
            EgressHalf out = engine.egress(port);
            compare(port, "free slots", in.freeSlots(), free[port]);
            compare(port, "free slots for link control", out.freeLinkSlots(), freeForLink[port]);
            compare(port, "held frames", out.heldFrames(), heldByEgress[port]);
            compareAccounts(port, in.accounts());
        }
    }

    /** Slots that were never taken are free where they are at home. */
    private void countUnmade(Frame[] frames) {
        // Slots lie by the ports that they are at home at, those for link control behind all.
        int first = 0;
        int frame = 0;
        for (int port = 0; port < unmade.length; port++) {
            int homeSlots = node.engine().ingress(port).homeSlots();
            int end = first + homeSlots;
            int before = frame;
            while (frame < frames.length && frames[frame].slot < end) {
                frame++;
            }
            unmade[port] = homeSlots - (frame - before);
            first = end;
        }
        countedFrames = frames.length;
    }

    private void count(Frame[] frames) {
        System.arraycopy(unmade, 0, free, 0, free.length);
        Arrays.fill(freeForLink, 0);
        Arrays.fill(heldByEgress, 0);
        Arrays.fill(bytes, 0);
        Arrays.fill(slots, 0);
        for (Frame frame : frames) {
            int half = frame.home;
            if (half < 0) {
                throw failure(frame + " was made and never taken");
            }
            int home = half >> 1;
            switch (SlotPlace.kind(frame.place)) {
                case SlotPlace.FREE -> ((half & 1) == 0 ? free : freeForLink)[home]++;
                case SlotPlace.QUEUE, SlotPlace.DEVICE_TRANSMIT -> heldByEgress[holder(frame)]++;
                default -> throw failure(frame + " is neither at home nor held when all is done");
            }
            if (frame.chargedBytes != 0) {
                int account = home * Accounts.COUNT + frame.account;
                bytes[account] += frame.chargedBytes;
                slots[account]++;
            }
        }
    }

    private static int holder(Frame frame) {
        return SlotPlace.half(frame.place) >>> 1;
    }

    private void compareAccounts(int port, Accounts accounts) {
        long totalBytes = 0;
        int totalSlots = 0;
        int first = port * Accounts.COUNT;
        for (int account = 0; account < Accounts.COUNT; account++) {
            int at = first + account;
            // Words are made where they are needed: this is asked of every account.
            if (accounts.bytes(account) != bytes[at] || accounts.slots(account) != slots[at]) {
                compare(port, "account " + account, accounts.bytes(account), bytes[at]);
                compare(port, "slots of account " + account, accounts.slots(account), slots[at]);
            }
            totalBytes += bytes[at];
            totalSlots += slots[at];
        }
        compare(port, "occupancy in bytes", accounts.totalBytes(), totalBytes);
        compare(port, "occupancy in slots", accounts.totalSlots(), totalSlots);
    }

    private void compare(int port, String what, long said, long counted) {
        if (said != counted) {
            throw failure(
                    "port " + port + " says " + what + " " + said + ", counted are " + counted);
        }
    }

    private IllegalStateException failure(String what) {
        return new IllegalStateException(clock.ps() + " ps: " + node.name() + ": " + what);
    }
}
