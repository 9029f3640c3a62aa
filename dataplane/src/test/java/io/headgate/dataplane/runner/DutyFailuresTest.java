package io.headgate.dataplane.runner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DutyFailuresTest {
    @Test
    void whatBecomesOfADutyThatFailedIsSaidAsItIs() {
        List<String> log = new ArrayList<>();
        ErrorRecord errors = new ErrorRecord();
        DutyFailures failures = new DutyFailures(log::add, errors);
        failures.failed("p1.egress", new IllegalStateException("x"));
        assertThat(log.getLast())
                .startsWith(
                        "p1.egress failed, and is stopped until its port is opened again:"
                                + " java.lang.IllegalStateException: x at ");
        failures.failed("owner", new IllegalStateException("y"));
        assertThat(log.getLast())
                .startsWith(
                        "owner failed, and is called again: java.lang.IllegalStateException: y at ");
        assertThat(errors.entries())
                .singleElement()
                .satisfies(error -> assertThat(error.last()).isEqualTo(log.getLast()));
    }
}
