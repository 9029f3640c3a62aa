package io.headgate.dataplane.detour;

import io.headgate.dataplane.linkcontrol.LinkProtocol;

/** A detour at one port: the parts of its ingress half and of its egress half. */
public record PortDetour(DetourReceiver receiver, FrameDetour sender) implements LinkProtocol {}
