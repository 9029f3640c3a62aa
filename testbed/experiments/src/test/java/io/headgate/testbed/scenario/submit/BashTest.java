package io.headgate.testbed.scenario.submit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Scripts that hand over work. */
class BashTest {
    /** The number of what was handed over is lost with the script. */
    @Test
    void aScriptOutlivesWhateverEndsUs() throws Exception {
        Bash.Said said =
                Bash.run("for s in INT TERM HUP QUIT; do kill -$s $$; echo $s; done\nexit 3\n");
        assertThat(said).isEqualTo(new Bash.Said(3, "INT\nTERM\nHUP\nQUIT\n"));
    }
}
