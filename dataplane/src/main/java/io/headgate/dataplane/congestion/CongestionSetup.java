package io.headgate.dataplane.congestion;

import io.headgate.dataplane.policy.QueueFields;
import io.headgate.dataplane.random.NamedRandom;

/**
 * What a congestion point is given, once.
 *
 * @param queues those of its port
 * @param rateBps the port's line rate in bits per second
 * @param random its own generator, named by port and mechanism
 */
public record CongestionSetup(QueueFields queues, long rateBps, NamedRandom random) {}
