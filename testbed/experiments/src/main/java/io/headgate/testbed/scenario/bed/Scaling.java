package io.headgate.testbed.scenario.bed;

import io.headgate.testbed.traffic.spec.ArrivalProcess;
import io.headgate.testbed.traffic.spec.ArrivalSpec;
import io.headgate.testbed.traffic.spec.FlowSpec;
import io.headgate.testbed.traffic.spec.SendPattern;

/**
 * Converts traffic for a bed that is slower by a factor: divides rates by it and multiplies times.
 */
public final class Scaling {
    private Scaling() {}

    public static long time(long ps, int scale) {
        return ps == Long.MAX_VALUE ? ps : Math.multiplyExact(ps, scale);
    }

    public static FlowSpec flow(FlowSpec flow, int scale) {
        return flow.during(time(flow.startPs(), scale), time(flow.stopPs(), scale))
                .withPattern(pattern(flow.pattern(), scale))
                .withAfter(
                        flow.after().stream()
                                .map(one ->
                                        new FlowSpec.After(one.flow(), time(one.delayPs(), scale)))
                                .toList());
    }

    public static ArrivalSpec source(ArrivalSpec source, int scale) {
        return source.withProcess(process(source.process(), scale))
                .withPattern(pattern(source.pattern(), scale))
                .during(time(source.startPs(), scale), time(source.stopPs(), scale));
    }

    private static SendPattern pattern(SendPattern pattern, int scale) {
        return switch (pattern) {
            case SendPattern.Greedy greedy -> greedy;
            case SendPattern.ConstantRate rate ->
                    new SendPattern.ConstantRate(rate.rateBps() / scale, rate.lateness());
            case SendPattern.OnOff onOff ->
                    new SendPattern.OnOff(
                            onOff.rateBps() / scale,
                            time(onOff.onPs(), scale),
                            time(onOff.offPs(), scale),
                            onOff.random(),
                            onOff.lateness());
            case SendPattern.PoissonFrames frames ->
                    new SendPattern.PoissonFrames(
                            frames.meanIntervalPs() * scale, frames.frameBytes());
            case SendPattern.Controlled controlled -> controlled.scaled(scale);
        };
    }

    private static ArrivalProcess process(ArrivalProcess process, int scale) {
        return switch (process) {
            case ArrivalProcess.Poisson poisson ->
                    new ArrivalProcess.Poisson(poisson.meanIntervalPs() * scale);
            case ArrivalProcess.Periodic periodic ->
                    new ArrivalProcess.Periodic(
                            time(periodic.periodPs(), scale), time(periodic.jitterPs(), scale));
            case ArrivalProcess.ClosedLoop loop ->
                    new ArrivalProcess.ClosedLoop(loop.meanSleepPs() * scale, loop.kept());
        };
    }
}
