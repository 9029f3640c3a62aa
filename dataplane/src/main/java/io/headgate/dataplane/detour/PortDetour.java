package io.headgate.dataplane.detour;

import io.headgate.dataplane.linkcontrol.LinkProtocol;

/** A detour at one port: what its ingress half has of it, and its egress half. */
public record PortDetour(DetourReceiver receiver, FrameDetour sender) implements LinkProtocol {}
