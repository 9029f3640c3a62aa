package io.headgate.config.read;

import io.headgate.config.ConfigDefaults;
import io.headgate.config.Devices;
import io.headgate.config.MemoryConfig;
import io.headgate.config.PortConfig;
import io.headgate.config.SwitchConfig;
import io.headgate.config.key.Quantity;
import io.headgate.config.key.Text;
import io.headgate.config.yaml.YamlConfig;
import java.util.Locale;

/** Checks whether the slots and tables of a switch fit into the memory that it is given. */
final class MemoryChecks {

    private static final long MAX_REGION_BYTES = 64L << 30;

    /** Queues and accounts count a switch's slots in 24 bits, those for its own frames included. */
    private static final long MAX_REGION_SLOTS = 16_000_000;

    private final YamlConfig yaml;
    private final SwitchConfig config;

    MemoryChecks(YamlConfig yaml, SwitchConfig config) {
        this.yaml = yaml;
        this.config = config;
    }

    /**
     * Checks that small slots and frames without payload are used only with the links of the
     * virtual test bed.
     */
    void payloadFits() {
        boolean elided = config.memory().payload() == MemoryConfig.Payload.ELIDED;
        if (!elided && config.memory().slotBytes() < ConfigDefaults.MEMORY.slotBytes()) {
            yaml.refuse(
                    "/memory/slot",
                    Quantity.SIZE.format(config.memory().slotBytes()) + " with whole frames",
                    "2KiB, 4KiB or 16KiB, or memory: {payload: elided}");
        }
        if (elided && !config.ports().stream().allMatch(port -> port.device().kind().isVirtual())) {
            yaml.refuse(
                    "/memory/payload",
                    "elided with a device that carries whole frames",
                    "stored, or virtual as the device of every port");
        }
    }

    void framesFit(PortConfig port, String at) {
        int frameBytes = ConfigDefaults.maxFrameBytes(port.linkMtuBytes());
        int overheadBytes = frameBytes - port.mtuBytes();
        int slotFrameBytes = config.memory().slotBytes() - MemoryConfig.SLOT_ROOM_BYTES;
        if (config.memory().payload() == MemoryConfig.Payload.ELIDED) {
            slotFrameBytes = frameBytes;
        }
        int maxSlotBytes = port.device().kind().maxSlotBytes();
        String kind = Devices.name(port.device());
        if (config.memory().slotBytes() > maxSlotBytes) {
            yaml.refuse(
                    "/memory/slot",
                    "%s with %s on port %s"
                            .formatted(
                                    Quantity.SIZE.format(config.memory().slotBytes()),
                                    kind,
                                    Text.shorten(port.name())),
                    "at most %s, or another device than %s"
                            .formatted(Quantity.SIZE.format(maxSlotBytes), kind));
            return;
        }
        int most = maxSlotBytes - MemoryConfig.SLOT_ROOM_BYTES;
        if (frameBytes > most) {
            yaml.refuse(
                    SwitchChecks.setting(yaml, at, "mtu"),
                    port.mtuBytes() + " with " + kind,
                    "at most %d with memory: {slot: %s}, or another device than %s"
                            .formatted(
                                    most - overheadBytes,
                                    Quantity.SIZE.format(maxSlotBytes),
                                    kind));
            return;
        }
        if (frameBytes > slotFrameBytes) {
            yaml.refuse(
                    SwitchChecks.setting(yaml, at, "mtu"),
                    port.mtuBytes()
                            + " with slots of "
                            + Quantity.SIZE.format(config.memory().slotBytes()),
                    "at most %s, or memory: {slot: %s}"
                            .formatted(
                                    slotFrameBytes - overheadBytes,
                                    frameBytes <= 4096 - MemoryConfig.SLOT_ROOM_BYTES
                                            ? "4KiB"
                                            : "16KiB"));
        }
        boolean segmentsCome = config.memory().holdsSegments();
        holdsOneFrame(
                port.queueLimitBytes(),
                segmentsCome,
                frameBytes,
                SwitchChecks.setting(yaml, at, "queue-limit"));
        holdsOneFrame(
                port.accountCapBytes(),
                port.device().kind().passesSegments(),
                frameBytes,
                SwitchChecks.setting(yaml, at, "account-cap"));
    }

    private void holdsOneFrame(long limitBytes, boolean segmentsCome, int frameBytes, String at) {
        int leastBytes = segmentsCome ? ConfigDefaults.WHOLE_FRAME_BYTES : frameBytes;
        if (limitBytes < leastBytes) {
            yaml.refuse(
                    at,
                    Quantity.SIZE.format(limitBytes),
                    (segmentsCome
                                    ? "at least one frame of several TCP segments: "
                                    : "at least one frame of the port's MTU: ")
                            + Quantity.SIZE.format(leastBytes));
        }
    }

    void slotsCover(PortConfig port, String at) {
        int ringSlots = port.device().receiveSlots();
        int lossless = port.traffic().lossless().size();
        // A virtual bed has many ports and few busy priorities, which may use the same slots.
        boolean isVirtual = port.device().kind().isVirtual();
        int lossy = ConfigDefaults.ACCOUNTS - lossless;
        int accounts = isVirtual ? Math.min(1, lossy) : lossy;
        boolean hasPool = port.sharedSlots() > 0;
        long promised = (long) port.promisedSlots() + port.sharedSlots();
        long capped = hasPool ? 0 : (long) accounts * port.accountCapSlots();
        long needed = capped + promised + ringSlots;
        int slots = config.memory().slotsPerPort();
        if (needed <= slots) {
            return;
        }
        String capAt = SwitchChecks.setting(yaml, at, "account-cap-slots");
        boolean isCapGiven = !hasPool && accounts > 0 && yaml.isGiven(capAt);
        long most = accounts == 0 ? 0 : (slots - ringSlots - promised) / accounts;
        String found =
                hasPool
                        ? String.format("a shared pool of %d slots", port.sharedSlots())
                        : String.format(
                                "%d %s of %d slots",
                                accounts,
                                accounts == 1 ? "account" : "accounts",
                                port.accountCapSlots());
        if (lossless > 0) {
            found +=
                    String.format(
                            ", %d slots for %d lossless priorities",
                            port.promisedSlots(), lossless);
        }
        yaml.refuse(
                isCapGiven ? capAt : "/memory/slots-per-port",
                found
                        + String.format(
                                " and a ring of %d, which is %d, with %d slots",
                                ringSlots, needed, slots),
                (isCapGiven && most > 0 ? "at most " + most + " here, or " : "")
                        + "memory: {slots-per-port: "
                        + needed
                        + "}");
    }

    /**
     * Checks that a shared buffer has a port that uses it, and that each of these has room for its
     * share.
     */
    void shareCovers() {
        SharedBuffer shared = SharedBuffer.of(config);
        shared.isUsed(yaml, "/memory/shared", config.ports().stream().map(PortConfig::flowControl));
        for (int i = 0; i < config.ports().size(); i++) {
            PortConfig port = config.ports().get(i);
            shared.isCovered(
                    yaml,
                    "/memory/shared",
                    SwitchChecks.setting(yaml, YamlConfig.child("/ports", i), "buffers"),
                    port.name(),
                    port.flowControl(),
                    port.countedPayloadBytes());
        }
    }

    void regionIsPossible() {
        long slots = (long) config.memory().slotsPerPort() * config.ports().size();
        long bytes = slots * config.memory().slotBytes();
        if (bytes > MAX_REGION_BYTES || slots > MAX_REGION_SLOTS) {
            yaml.refuse(
                    "/memory/slots-per-port",
                    String.format(
                            Locale.ROOT,
                            "%d ports with %d slots of %d bytes, which is %,d slots and %.1f GiB",
                            config.ports().size(),
                            config.memory().slotsPerPort(),
                            config.memory().slotBytes(),
                            slots,
                            bytes / (double) (1L << 30)),
                    "at most 16,000,000 slots and 64 GiB in all");
        }
    }
}
