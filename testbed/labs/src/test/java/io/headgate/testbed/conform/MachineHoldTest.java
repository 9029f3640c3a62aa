package io.headgate.testbed.conform;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.testbed.conform.CaseResult.Losses;
import io.headgate.testbed.conform.CaseResult.Verdict;
import io.headgate.testbed.scenario.BedKind;
import io.headgate.testbed.scenario.Cell;
import io.headgate.testbed.scenario.CellResult;
import io.headgate.testbed.scenario.Check;
import io.headgate.testbed.scenario.DroppedFrames;
import io.headgate.testbed.scenario.Measure;
import io.headgate.testbed.scenario.Outcome;
import io.headgate.testbed.scenario.Values;
import io.headgate.testbed.scenario.bed.RealBed;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A case is tried again only where the machine may be why it failed. */
class MachineHoldTest {
    private static final double PAUSE_US = 3355.392;
    private static final double LONG_US = 0.02 * PAUSE_US;
    private static final double SHORT_US = 0.005 * PAUSE_US;

    /** More than the 30 ms that headroom is planned for. */
    private static final double LOSING_US = 0.1 * PAUSE_US;

    private static final Losses NOTHING = losses(0, 0, 0);

    private static Losses losses(long missing, long dropped, long waiting) {
        return losses("QUEUE_FULL", dropped, Map.of("data", missing), waiting);
    }

    private static Losses losses(
            String reason, long dropped, Map<String, Long> missing, long waiting) {
        List<DroppedFrames> all =
                dropped == 0
                        ? List.of()
                        : List.of(new DroppedFrames("s1/p1 in", reason, dropped, 1));
        return new Losses("run", all, missing, waiting);
    }

    private static CaseResult result(Verdict verdict, Losses losses) throws Exception {
        return result(verdict, "", losses);
    }

    private static CaseResult result(Verdict verdict, String why, Losses losses) throws Exception {
        ConformanceCase one = ConformanceCase.named(List.of("c05")).getFirst();
        Check check = Check.atLeast("frames", "frames", verdict == Verdict.PASS ? 1 : 0, 1, "");
        return new CaseResult(
                one,
                "",
                "",
                "",
                verdict,
                why,
                List.of(check),
                List.of(),
                List.of(losses),
                List.of(),
                List.of(),
                1);
    }

    private static MachineHold hold(double hostsUs, double switchUs) {
        Outcome outcome =
                new Outcome(
                        "",
                        List.of(
                                new Measure(RealBed.HELD_UP, "us", hostsUs),
                                new Measure(RealBed.WOKE_LATE, "us", switchUs)),
                        List.of(),
                        List.of(),
                        Map.of());
        Cell cell = new Cell(0, new Values(List.of(), List.of()), 1, BedKind.NETNS, 100);
        return MachineHold.NONE.and(new CellResult(cell, outcome, null, 1), PAUSE_US);
    }

    @Test
    void aFailureOfAHeldUpMachineIsTriedAgain() throws Exception {
        assertThat(hold(LONG_US, 0).excuses(result(Verdict.FAIL, NOTHING))).isTrue();
        assertThat(hold(0, LONG_US).excuses(result(Verdict.FAIL, NOTHING))).isTrue();
        assertThat(hold(0, LONG_US).ms()).isEqualTo(LONG_US / 10);
    }

    @Test
    void aFailureOfAMachineThatKeptUpCounts() throws Exception {
        assertThat(hold(SHORT_US, SHORT_US).excuses(result(Verdict.FAIL, NOTHING))).isFalse();
        assertThat(MachineHold.NONE.excuses(result(Verdict.FAIL, NOTHING))).isFalse();
    }

    /** No machine is why a switch ends or a host of the test bed fails. */
    @Test
    void whatBrokeCountsWhateverTheMachineDid() throws Exception {
        CaseResult broken = result(Verdict.FAIL, "a host of the real bed failed", NOTHING);
        assertThat(hold(LONG_US, LONG_US).excuses(broken)).isFalse();
    }

    @Test
    void whatPassesCountsWhateverTheMachineDid() throws Exception {
        assertThat(hold(LONG_US, LONG_US).excuses(result(Verdict.PASS, NOTHING))).isFalse();
    }

    /** What a queue still holds is not lost, and what a port dropped it has told. */
    @Test
    void aFrameThatIsLostWithoutAPortAndAReasonCounts() throws Exception {
        MachineHold hold = hold(LONG_US, LONG_US);
        assertThat(hold.excuses(result(Verdict.FAIL, losses(10, 7, 3)))).isTrue();
        assertThat(hold.excuses(result(Verdict.FAIL, losses(7, 7, 3)))).isTrue();
        assertThat(hold.excuses(result(Verdict.FAIL, losses(11, 7, 3)))).isFalse();
    }

    /** What explains too much of one kind explains nothing of another. */
    @Test
    void whatIsDroppedOrComesWithoutHavingBeenSentCounts() throws Exception {
        MachineHold hold = hold(LONG_US, LONG_US);
        assertThat(hold.excuses(result(Verdict.FAIL, losses(6, 7, 3)))).isFalse();
        Losses twice = losses("QUEUE_FULL", 7, Map.of("a", 9L, "b", -2L), 0);
        assertThat(hold.excuses(result(Verdict.FAIL, twice))).isFalse();
        Losses ofPauses = losses("LINK_LOCAL", 7, Map.of("data", 7L), 0);
        assertThat(hold.excuses(result(Verdict.FAIL, ofPauses))).isFalse();
    }

    /** Headroom is planned for 30 ms of it. */
    @Test
    void aLosslessFrameMayBeLostInALongHoldOnly() throws Exception {
        CaseResult lost =
                result(Verdict.FAIL, losses("HEADROOM_EXHAUSTED", 7, Map.of("data", 7L), 0));
        assertThat(hold(LONG_US, LONG_US).excuses(lost)).isFalse();
        assertThat(hold(LOSING_US, 0).excuses(lost)).isTrue();
        assertThat(hold(0, LOSING_US).excuses(lost)).isTrue();
        CaseResult stormed = result(Verdict.FAIL, losses("WATCHDOG", 7, Map.of("data", 7L), 0));
        assertThat(hold(LONG_US, 0).excuses(stormed)).isTrue();
    }

    @Test
    void triesEndAndTheTableSaysThatThereWereSome() throws Exception {
        MachineHold hold = hold(LONG_US, 0);
        CaseResult first = result(Verdict.FAIL, losses(7, 7, 0));
        CaseResult second = result(Verdict.FAIL, NOTHING).withTries(hold.tries(first));
        assertThat(hold.excuses(second)).isTrue();
        CaseResult third = result(Verdict.FAIL, NOTHING).withTries(hold.tries(second));
        assertThat(hold.excuses(third)).isFalse();
        CaseResult passed = result(Verdict.PASS, NOTHING).withTries(hold.tries(second));
        assertThat(new ConformanceReport("headgate conform", List.of(passed)).table().toString())
                .contains("PASS at try 3")
                .contains("try 1 does not count: the machine delayed the bed by 7 ms")
                .contains("QUEUE_FULL");
    }
}
