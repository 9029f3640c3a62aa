package io.headgate.testbed.virtual;

import io.headgate.dataplane.engine.Duty;
import io.headgate.dataplane.memory.Accounts;
import io.headgate.dataplane.memory.Frame;
import io.headgate.dataplane.memory.FrameRegion;
import io.headgate.dataplane.memory.SlotPlace;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * What must hold when an instant is over: every slot is in one place and the halves agree on which,
 * accounts sum to what is held, no duty has anything left to do, and calling one without cause
 * changes nothing.
 */
final class RunChecker {
    private final VirtualRun run;
    private final List<VirtualNode> nodes;
    private final List<VirtualLink> links;

    RunChecker(VirtualRun run) {
        this.run = run;
        this.nodes = run.nodes();
        this.links = run.links();
        for (VirtualLink link : links) {
            for (int end = 0; end < 2; end++) {
                link.from(end).check(new OrderCheck(link.end(end).toString()));
            }
        }
    }

    /**
     * Checks everything.
     *
     * @throws IllegalStateException with what does not hold, where and when
     */
    void check() {
        for (VirtualNode node : nodes) {
            checkSlots(node);
        }
        checkIdleCalls();
    }

    private void checkIdleCalls() {
        long nowNs = run.clock().ns();
        long before = fingerprint();
        Duty[] duties = run.duties();
        for (int number = 0; number < duties.length; number++) {
            Duty duty = duties[number];
            long deadlineNs = duty.deadlineNs();
            require(deadlineNs > nowNs, number, "is left uncalled at its deadline");
            int work = duty.doWork(nowNs);
            require(work == 0, number, "still finds " + work + " things to do");
            require(
                    duty.deadlineNs() == deadlineNs,
                    number,
                    "moves its deadline from " + deadlineNs + " to " + duty.deadlineNs());
        }
        int rung = run.ready().take(0);
        require(rung < 0, rung, "is rung by a call without cause");
        if (fingerprint() != before) {
            throw new IllegalStateException(
                    run.clock().ps() + " ps: a call without cause changes " + whoChanges());
        }
    }

    /** The first duty whose calls still change something; it usually does each time. */
    private String whoChanges() {
        Duty[] duties = run.duties();
        for (int number = 0; number < duties.length; number++) {
            long before = fingerprint();
            duties[number].doWork(run.clock().ns());
            if (fingerprint() != before) {
                return run.dutyName(number);
            }
        }
        return "something once, and no longer";
    }

    private void require(boolean holds, int duty, String what) {
        if (!holds) {
            throw new IllegalStateException(
                    run.clock().ps() + " ps: " + run.dutyName(duty) + " " + what);
        }
    }

    private long fingerprint() {
        long hash = run.frameHops();
        for (VirtualNode node : nodes) {
            hash = fingerprint(hash, node);
        }
        for (VirtualLink link : links) {
            hash = VirtualRandom.mix(hash ^ link.from(0).fingerprint());
            hash = VirtualRandom.mix(hash ^ link.from(1).fingerprint());
        }
        return hash;
    }

    private static long fingerprint(long from, VirtualNode node) {
        long hash = from;
        MemorySegment counters = node.engineHost().counterValues();
        for (long at = 0; at < counters.byteSize(); at += Long.BYTES) {
            long value = counters.get(ValueLayout.JAVA_LONG, at);
            if (value != 0) {
                hash = VirtualRandom.mix(hash ^ value ^ (at << 48));
            }
        }
        FrameRegion region = node.region();
        for (int slot = 0; slot < region.slots(); slot++) {
            Frame frame = region.frame(slot);
            hash = VirtualRandom.mix(hash ^ frame.place ^ ((long) frame.chargedBytes << 32));
            hash = VirtualRandom.mix(hash ^ frame.lengthBytes ^ ((long) frame.storedBytes << 32));
        }
        for (int port = 0; port < node.enginePorts(); port++) {
            hash = VirtualRandom.mix(hash ^ node.ingress(port).freeSlots());
            hash = VirtualRandom.mix(hash ^ node.egress(port).heldFrames());
            hash = VirtualRandom.mix(hash ^ node.ingress(port).accounts().totalBytes());
        }
        return hash;
    }

    private void checkSlots(VirtualNode node) {
        int ports = node.enginePorts();
        int[] free = new int[ports];
        int[] freeForLink = new int[ports];
        int[] heldByEgress = new int[ports];
        long[] bytes = new long[ports * Accounts.COUNT];
        int[] slots = new int[ports * Accounts.COUNT];
        FrameRegion region = node.region();
        for (int slot = 0; slot < region.slots(); slot++) {
            Frame frame = region.frame(slot);
            int home = frame.home >> 1;
            boolean ofIngress = (frame.home & 1) == 0;
            switch (SlotPlace.kind(frame.place)) {
                case SlotPlace.FREE -> (ofIngress ? free : freeForLink)[home]++;
                case SlotPlace.QUEUE, SlotPlace.DEVICE_TRANSMIT -> heldByEgress[holder(frame)]++;
                default -> fail(node, frame + " is neither at home nor held when all is done");
            }
            if (frame.chargedBytes != 0) {
                bytes[home * Accounts.COUNT + frame.account] += frame.chargedBytes;
                slots[home * Accounts.COUNT + frame.account]++;
            }
        }
        for (int port = 0; port < ports; port++) {
            compare(node, port, "free slots", node.ingress(port).freeSlots(), free[port]);
            compare(
                    node,
                    port,
                    "free slots for link control",
                    node.egress(port).freeLinkSlots(),
                    freeForLink[port]);
            compare(node, port, "held frames", node.egress(port).heldFrames(), heldByEgress[port]);
            compareAccounts(node, port, bytes, slots);
        }
    }

    private static int holder(Frame frame) {
        return frame.place >>> 9;
    }

    private void compareAccounts(VirtualNode node, int port, long[] bytes, int[] slots) {
        Accounts accounts = node.ingress(port).accounts();
        long totalBytes = 0;
        int totalSlots = 0;
        for (int account = 0; account < Accounts.COUNT; account++) {
            int at = port * Accounts.COUNT + account;
            compare(node, port, "account " + account, accounts.bytes(account), bytes[at]);
            compare(node, port, "slots of account " + account, accounts.slots(account), slots[at]);
            totalBytes += bytes[at];
            totalSlots += slots[at];
        }
        compare(node, port, "occupancy in bytes", accounts.totalBytes(), totalBytes);
        compare(node, port, "occupancy in slots", accounts.totalSlots(), totalSlots);
    }

    private void compare(VirtualNode node, int port, String what, long said, long counted) {
        if (said != counted) {
            fail(node, "port " + port + " says " + what + " " + said + ", counted are " + counted);
        }
    }

    private void fail(VirtualNode node, String what) {
        throw new IllegalStateException(run.clock().ps() + " ps: " + node.name() + ": " + what);
    }
}
