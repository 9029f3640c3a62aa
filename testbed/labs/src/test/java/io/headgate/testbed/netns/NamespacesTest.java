package io.headgate.testbed.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NamespacesTest {
    private static final List<String> IP = List.of("ip", "-n", "h1");
    private static final List<String> COMMANDS =
            List.of("link set lo up", "addr add 10.0.0.300/8 dev eth0", "link set eth0 up");

    @Test
    void namesTheCommandOfABatchThatFailedAndWhy() {
        assertThat(failure("RTNETLINK answers: ...\nCommand failed /run/x/ip-h1.batch:2\n"))
                .isEqualTo("'ip -n h1 addr add 10.0.0.300/8 dev eth0': RTNETLINK answers: ...");
        assertThat(failure("Command failed /run/x/ip-h1.batch:3\n"))
                .isEqualTo("'ip -n h1 link set eth0 up': exit code 1");
    }

    @Test
    void namesTheBatchIfTheProgramDoesNotSayWhichCommandFailed() {
        assertThat(failure("Error: any valid prefix is expected\n"))
                .isEqualTo("'ip -n h1 -batch': Error: any valid prefix is expected");
        assertThat(Namespaces.failure(IP, COMMANDS, new Programs.Result(137, "", true)))
                .isEqualTo("'ip -n h1 -batch': it did not end in its time, and was killed");
        assertThat(
                        Namespaces.failure(
                                IP,
                                COMMANDS.subList(0, 1),
                                new Programs.Result(1, "No such device")))
                .isEqualTo("'ip -n h1 link set lo up': No such device");
    }

    private static String failure(String output) {
        return Namespaces.failure(IP, COMMANDS, new Programs.Result(1, output));
    }
}
