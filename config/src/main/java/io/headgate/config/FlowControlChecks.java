package io.headgate.config;

/** What must hold between the values of one port's flow control, told where it stands. */
final class FlowControlChecks {
    private final YamlConfig yaml;
    private final PortConfig port;
    private final FlowControlConfig.Mode mode;
    private final String at;

    FlowControlChecks(YamlConfig yaml, PortConfig port, String at) {
        this.yaml = yaml;
        this.port = port;
        this.mode = port.flowControl().mode();
        this.at = at;
    }

    void run() {
        sectionsFitTheMode();
        FlowControlConfig flowControl = port.flowControl();
        if (flowControl.buffers() != null) {
            thresholdsFit(flowControl.buffers());
        }
        if (flowControl.pause() != null) {
            refreshFits(flowControl.pause());
        }
        if (flowControl.credits() != null) {
            creditsFit(flowControl.credits());
        }
        if (flowControl.watchdog() != null) {
            watchdogFits(flowControl.watchdog());
        }
    }

    private void sectionsFitTheMode() {
        boolean pauses = mode == FlowControlConfig.Mode.PFC || mode == FlowControlConfig.Mode.PAUSE;
        boolean any = mode != FlowControlConfig.Mode.NONE;
        onlyIf(any, "lossless", "pfc, pause or credits");
        onlyIf(any, "link", "pfc, pause or credits");
        onlyIf(any, "watchdog", "pfc, pause or credits");
        onlyIf(pauses, "buffers", "pfc or pause");
        onlyIf(pauses, "pause", "pfc or pause");
        onlyIf(mode == FlowControlConfig.Mode.CREDITS, "credits", "credits");
    }

    /** Refuses a section that would be without effect; one in the defaults may serve others. */
    private void onlyIf(boolean used, String key, String modes) {
        String own = Pointer.child(at, key);
        if (!used && yaml.isGiven(own)) {
            refuse(own, "flow-control: " + SwitchConfigs.word(mode), "flow-control: " + modes);
        }
    }

    private void thresholdsFit(FlowControlConfig.Buffers buffers) {
        String buffersAt = SwitchBinder.setting(yaml, at, "buffers");
        int frameBytes = ConfigDefaults.maxFrameBytes(port.mtuBytes());
        if (buffers.isDynamic()) {
            notWith(buffersAt, "xoff", "with alpha");
            notWith(buffersAt, "xoff-slots", "with alpha");
            if (buffers.sharedSlots() < 8 || buffers.sharedBytes() < 8L * frameBytes) {
                refuse(
                        buffersAt + "/shared",
                        size(buffers.sharedBytes()) + " and " + slots(buffers.sharedSlots()),
                        "a pool of eight frames of the port's MTU at least: "
                                + size(8L * frameBytes));
            } else {
                lossyFramesFit(buffersAt + "/alpha", buffers, frameBytes);
            }
            return;
        }
        for (String key : new String[] {"reserved", "reserved-slots", "shared", "shared-slots"}) {
            notWith(buffersAt, key, "without alpha");
        }
        if (buffers.xoffBytes() < 2L * frameBytes) {
            refuse(
                    buffersAt + "/xoff",
                    size(buffers.xoffBytes()),
                    "at least two frames of the port's MTU: " + size(2L * frameBytes));
        }
        if (buffers.xonBytes() >= buffers.xoffBytes()) {
            refuse(
                    buffersAt + "/xon",
                    size(buffers.xonBytes()),
                    "less than xoff, which is " + size(buffers.xoffBytes()));
        }
        if (buffers.xoffSlots() < 2) {
            refuse(buffersAt + "/xoff-slots", slots(buffers.xoffSlots()), "at least 2");
        } else if (buffers.xonSlots() >= buffers.xoffSlots()) {
            refuse(
                    buffersAt + "/xon-slots",
                    slots(buffers.xonSlots()),
                    "less than xoff-slots, which is " + buffers.xoffSlots());
        }
    }

    /** What is reserved is for lossless priorities: the others get what alpha leaves them. */
    private void lossyFramesFit(String alphaAt, FlowControlConfig.Buffers buffers, int frameBytes) {
        Integer alpha = buffers.alphaExponent();
        boolean anyLossy = port.traffic().lossless().size() < TrafficConfig.PRIORITIES;
        if (alpha == null || alpha >= 0 || !anyLossy) {
            return;
        }
        if (buffers.sharedBytes() >> -alpha < frameBytes || buffers.sharedSlots() >> -alpha < 1) {
            refuse(
                    alphaAt,
                    "1/%d of a pool of %s and %s"
                            .formatted(
                                    1 << -alpha,
                                    size(buffers.sharedBytes()),
                                    slots(buffers.sharedSlots())),
                    "so much that a lossy priority may hold a frame of the port's MTU: of a pool"
                            + " of %s and %s at least"
                                    .formatted(
                                            size((long) frameBytes << -alpha), slots(1 << -alpha)));
        }
    }

    private void notWith(String sectionAt, String key, String what) {
        if (yaml.isGiven(sectionAt + "/" + key)) {
            refuse(sectionAt + "/" + key, key + " " + what, "one or the other");
        }
    }

    private void refreshFits(FlowControlConfig.Pause pause) {
        long pauseNs = ConfigDefaults.pauseNs(pause.quanta(), port.rateBps());
        if (pause.refreshNs() >= pauseNs && pause.refreshNs() > 1) {
            refuse(
                    SwitchBinder.setting(yaml, at, "pause") + "/refresh",
                    time(pause.refreshNs()),
                    "shorter than the pause, which is " + time(pauseNs) + " at the port's rate");
        }
    }

    private void creditsFit(FlowControlConfig.Credits credits) {
        String creditsAt = SwitchBinder.setting(yaml, at, "credits");
        int frameBytes = ConfigDefaults.maxFrameBytes(port.mtuBytes());
        int frameBlocks = Math.ceilDiv(frameBytes, credits.blockBytes());
        if (credits.bufferBytes() / credits.blockBytes() < frameBlocks) {
            refuse(
                    creditsAt + "/buffer",
                    size(credits.bufferBytes()),
                    "at least one frame of the port's MTU in whole blocks: "
                            + size((long) frameBlocks * credits.blockBytes()));
        }
        if (credits.bufferSlots() < frameBlocks) {
            refuse(
                    creditsAt + "/buffer-slots",
                    slots(credits.bufferSlots()),
                    "at least the blocks of one frame of the port's MTU: " + frameBlocks);
        }
        if (credits.minGapNs() > credits.periodNs()) {
            refuse(
                    creditsAt + "/min-gap",
                    time(credits.minGapNs()),
                    "at most the period, which is " + time(credits.periodNs()));
        }
    }

    private void watchdogFits(FlowControlConfig.Watchdog watchdog) {
        long most = Math.min(watchdog.detectionNs(), watchdog.restorationNs());
        if (watchdog.pollNs() > most) {
            refuse(
                    SwitchBinder.setting(yaml, at, "watchdog") + "/poll",
                    time(watchdog.pollNs()),
                    "at most the shorter of detection and restoration, which is " + time(most));
        }
    }

    private static String size(long bytes) {
        return Quantity.SIZE.format(bytes);
    }

    private static String slots(int slots) {
        return slots == 1 ? "1 slot" : slots + " slots";
    }

    private static String time(long ns) {
        return Quantity.DURATION.format(ns);
    }

    private void refuse(String pointer, String found, String allowed) {
        yaml.refuse(pointer, found, allowed);
    }
}
