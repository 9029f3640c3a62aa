package io.headgate.dataplane.flowcontrol;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.FlowControlConfig;
import io.headgate.config.FlowControlConfig.Mode;
import io.headgate.config.PortConfig;
import io.headgate.dataplane.credit.CreditReceiver;
import io.headgate.dataplane.credit.CreditRegister;
import io.headgate.dataplane.credit.CreditTransmitter;
import io.headgate.dataplane.linkcontrol.LinkProtocol;
import io.headgate.dataplane.linkcontrol.LinkRelay;
import io.headgate.dataplane.linkcontrol.LinkSetup;
import io.headgate.dataplane.linkcontrol.PresentTime;
import io.headgate.dataplane.memory.sync.PortBoard;
import io.headgate.dataplane.memory.sync.PortBoards;
import io.headgate.dataplane.memory.sync.PublishedWords;
import io.headgate.dataplane.pause.PauseReceiver;
import io.headgate.dataplane.pause.PauseRegister;
import io.headgate.dataplane.pause.PauseSender;
import io.headgate.dataplane.pause.PauseState;
import io.headgate.dataplane.pause.PauseTransmitter;
import java.util.ArrayList;
import java.util.List;

/**
 * State of flow control that the two halves of a port share: the protocols between the port and the
 * far end of its link, in their order, and the priorities that its watchdog drops.
 */
public final class PortFlowControl {
    /**
     * Two frames of pauses or credits, one that goes and one that waits, and two of the other kind.
     */
    private static final int FLOW_CONTROL_SLOTS = 4;

    private final List<LinkProtocol> protocols = new ArrayList<>();

    // Those of them that others have added; their protocols are the last.
    private final LinkMechanisms mechanisms;

    // One word, the egress half's: the priorities whose frames the watchdog drops.
    private final PublishedWords dropping = new PublishedWords(1);

    /**
     * Creates pauses or credits as configured, then the protocols of the port's link mechanisms.
     */
    public PortFlowControl(
            int port,
            PortConfig config,
            Classifier classifier,
            PresentTime time,
            LinkRelays relays,
            PortBoards boards) {
        FlowControlConfig flowControl = config.flowControl();
        FlowControlConfig.Pause pause = flowControl.pause();
        FlowControlConfig.Credits credits = flowControl.credits();
        int lossless = config.traffic().losslessMask();
        mechanisms = new LinkMechanisms(config);
        if (!isConfigured(config)) {
            return;
        }
        LinkSetup setup =
                new LinkSetup(
                        port,
                        config.rateBps(),
                        config.mtuBytes(),
                        lossless,
                        classifier.digest(),
                        time,
                        LinkRelay.NONE,
                        PortBoard.NONE);
        if (pause != null) {
            protocols.add(pauses(flowControl.mode(), pause, lossless, config.rateBps(), time));
        }
        if (credits != null) {
            int maxFrameBytes = ConfigDefaults.maxFrameBytes(config.countedPayloadBytes());
            protocols.add(credits(credits, lossless, setup.digest(), maxFrameBytes, time));
        }
        protocols.addAll(mechanisms.protocols(setup, relays, boards));
    }

    private static LinkProtocol pauses(
            Mode mode, FlowControlConfig.Pause config, int lossless, long bps, PresentTime time) {
        PauseRegister register = new PauseRegister();
        return LinkProtocol.of(
                new PauseReceiver(mode, lossless, bps, register),
                new PauseTransmitter(
                        new PauseSender(mode, config, bps),
                        new PauseState(register, time),
                        register));
    }

    private static LinkProtocol credits(
            FlowControlConfig.Credits config,
            int lanes,
            long digest,
            int maxFrameBytes,
            PresentTime time) {
        CreditRegister register = new CreditRegister();
        return LinkProtocol.of(
                new CreditReceiver(config, lanes, digest, register, maxFrameBytes),
                new CreditTransmitter(config, lanes, digest, register, time));
    }

    /** Number of slots that a port needs for the frames of its protocols. */
    public static int linkSlots(PortConfig config) {
        boolean controls = config.flowControl().mode() != Mode.NONE;
        return (controls ? FLOW_CONTROL_SLOTS : 0) + new LinkMechanisms(config).slots();
    }

    /** Whether a port speaks any protocol with the far end of its link. */
    public static boolean isConfigured(PortConfig config) {
        return config.flowControl().mode() != Mode.NONE || !new LinkMechanisms(config).isEmpty();
    }

    /** The link mechanisms, which add protocols to pauses or credits. */
    LinkMechanisms mechanisms() {
        return mechanisms;
    }

    /** The protocols, in the order in which their frames leave. */
    List<LinkProtocol> protocols() {
        return protocols;
    }

    /** Egress half only: publishes the priorities whose frames the watchdog drops. */
    void storeDroppingRelease(int priorities) {
        dropping.storeRelease(0, priorities);
    }

    /** Ingress half only: reads the priorities whose frames the watchdog drops. */
    int loadDroppingAcquire() {
        return (int) dropping.loadAcquire(0);
    }
}
