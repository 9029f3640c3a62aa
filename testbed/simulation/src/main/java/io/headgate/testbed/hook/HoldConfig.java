package io.headgate.testbed.hook;

import io.headgate.config.key.Allowed;
import io.headgate.config.key.Items;
import io.headgate.config.key.Key;
import io.headgate.config.key.Named;
import io.headgate.config.key.Says;
import java.util.List;

/** The priorities whose frames a port holds back. */
@Named(says = "Prevents frames of some priorities from leaving: a hook for tests.")
public record HoldConfig(
        @Key(min = "0", max = "7")
                @Says(
                        "Priorities whose frames stay in their queues, as if the far end were"
                                + " silent: no pause, so no watchdog sees it. A hook for tests.")
                @Allowed("a list of different priorities from 0 to 7, such as [3, 4]")
                @Items(max = 8, unique = true, each = "a priority from 0 to 7, such as 3")
                List<Integer> priorities) {

    int mask() {
        return priorities.stream().mapToInt(priority -> 1 << priority).sum();
    }
}
