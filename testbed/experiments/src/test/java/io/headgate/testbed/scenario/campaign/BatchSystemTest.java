package io.headgate.testbed.scenario.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.testbed.scenario.ScenarioException;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BatchSystemTest {
    private static Map<String, String> environment(String text) {
        Map<String, String> environment = new LinkedHashMap<>();
        for (String one : text.strip().split(" +")) {
            int at = one.indexOf('=');
            environment.put(one.substring(0, at), one.substring(at + 1));
        }
        return environment;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    auto | SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=8 | 3/8
                    auto | SLURM_ARRAY_TASK_ID=8 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=12 \
                           SLURM_ARRAY_TASK_STEP=4 SLURM_ARRAY_TASK_COUNT=4 | 3/4
                    auto/8 | SLURM_ARRAY_TASK_ID=2 SLURM_ARRAY_TASK_MIN=2 SLURM_ARRAY_TASK_MAX=2 | 2/8
                    auto | SGE_TASK_ID=4 SGE_TASK_FIRST=1 SGE_TASK_LAST=5 SGE_TASK_STEPSIZE=1 | 4/5
                    auto/4 | JOB_COMPLETION_INDEX=0 | 1/4
                    auto | JOB_COMPLETION_INDEX=3 HEADGATE_SHARDS=4 | 4/4
                    auto/4 | SGE_TASK_ID=undefined PBS_ARRAY_INDEX=4 | 4/4
                    auto/4 | PBS_ARRAYID=1 | 1/4
                    auto | SLURM_ARRAY_TASK_ID=5 SLURM_ARRAY_TASK_MIN=5 SLURM_ARRAY_TASK_MAX=5 \
                           SLURM_ARRAY_TASK_COUNT=1 HEADGATE_SHARDS=8 | 5/8
                    auto | SGE_TASK_ID=4 SGE_TASK_FIRST=4 SGE_TASK_LAST=4 HEADGATE_SHARDS=5 | 4/5
                    auto/4 | SLURM_ARRAY_TASK_ID=2 HEADGATE_SHARDS=8 | 2/4
                    auto | AWS_BATCH_JOB_ARRAY_INDEX=1 AWS_BATCH_JOB_ARRAY_SIZE=9 | 2/9
                    """)
    void aTaskKnowsItsShardFromItsBatchSystem(String asked, String says, String shard)
            throws ScenarioException {
        assertThat(Shard.parse(asked, environment(says))).hasToString(shard);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    auto | HOME=/root | this is not a task of an array
                    auto | JOB_COMPLETION_INDEX=1 | Kubernetes does not give the number of tasks
                    auto | PBS_ARRAY_INDEX=x HEADGATE_SHARDS=4 | PBS_ARRAY_INDEX is 'x', and should be
                    auto | SLURM_ARRAY_TASK_ID=5 SLURM_ARRAY_TASK_MIN=2 SLURM_ARRAY_TASK_MAX=5 \
                           SLURM_ARRAY_TASK_COUNT=2 | this array of Slurm has gaps
                    auto/4 | SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=4 \
                           | this array of Slurm has numbers from 0 to 4 in steps of 1; allowed are 4
                    auto/4 | SLURM_ARRAY_TASK_ID=9 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=9 \
                           SLURM_ARRAY_TASK_COUNT=2 | from 1 to 9 in steps of 1; allowed are 4
                    auto/4 | SGE_TASK_ID=5 SGE_TASK_FIRST=5 SGE_TASK_LAST=5 SGE_TASK_STEPSIZE=4 \
                           | this array of Grid Engine has numbers from 5 to 5 in steps of 4
                    auto/0 | JOB_COMPLETION_INDEX=1 | --shard cannot be 'auto/0'
                    """)
    void whatIsNotToldIsNotGuessed(String asked, String says, String sentence) {
        assertThatThrownBy(() -> Shard.parse(asked, environment(says)))
                .isInstanceOf(ScenarioException.class)
                .hasMessageContaining(sentence);
    }

    @Test
    void whereverAnArrayBeginsItsTasksAreAllTheShards() throws ScenarioException {
        for (int first : new int[] {0, 1, 5}) {
            Set<Integer> shards = new TreeSet<>();
            for (int index = first; index < first + 4; index++) {
                Map<String, String> says = Map.of("PBS_ARRAY_INDEX", Integer.toString(index));
                shards.add(Shard.parse("auto/4", says).index());
            }
            assertThat(shards).containsExactly(1, 2, 3, 4);
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 13, 4, 4", "0, 12, 4, 4", "2, 6, 1, 5", "0, 3, 1, 4", "1, 7, 2, 4"})
    void inWhateverStepsAnArrayGoesItsTasksAreAllTheShards(int first, int last, int step, int of)
            throws ScenarioException {
        Set<Integer> shards = new TreeSet<>();
        for (int index = first; index <= last; index += step) {
            Map<String, String> says =
                    environment(
                            "SLURM_ARRAY_TASK_ID=%d SLURM_ARRAY_TASK_MIN=%d SLURM_ARRAY_TASK_MAX=%d"
                                            .formatted(index, first, last)
                                    + " SLURM_ARRAY_TASK_STEP="
                                    + step);
            shards.add(Shard.parse("auto/" + of, says).index());
        }
        assertThat(shards).hasSize(of);
    }

    @Test
    void asManyRunsAtOnceAsProcessorsWereGranted() {
        assertThat(BatchSystem.processors(Map.of(), 16)).isEqualTo(16);
        assertThat(BatchSystem.processors(environment("SLURM_CPUS_PER_TASK=4"), 16)).isEqualTo(4);
        assertThat(BatchSystem.processors(environment("NSLOTS=2"), 16)).isEqualTo(2);
        assertThat(BatchSystem.processors(environment("SLURM_CPUS_ON_NODE=32"), 16)).isEqualTo(16);
        assertThat(BatchSystem.processors(environment("NSLOTS=many"), 16)).isEqualTo(16);
    }

    @Test
    void aListOfCellsIsReadBackAsItWasWritten() throws ScenarioException {
        Random random = new Random(1);
        for (int i = 0; i < 1000; i++) {
            BitSet cells = new BitSet();
            int count = 1 + random.nextInt(60);
            for (int bit = 0; bit < count; bit++) {
                cells.set(random.nextInt(60) * (1 + random.nextInt(8)));
            }
            String text = CellList.format(cells);
            assertThat(CellList.parse(text, 1000)).as(text).isEqualTo(cells);
        }
    }

    @Test
    void whatTwoShardsLeftIsAShortListToo() throws ScenarioException {
        BitSet cells = new BitSet();
        for (int cell = 0; cell < 100_000; cell += 64) {
            cells.set(cell + 3);
            cells.set(cell + 10);
        }
        assertThat(CellList.format(cells)).isEqualTo("3..99971:64,10..99978:64");
    }

    @Test
    void whatOneShardLeftIsAShortList() throws ScenarioException {
        BitSet cells = new BitSet();
        for (int cell = 2; cell < 10_000; cell += 8) {
            cells.set(cell);
        }
        assertThat(CellList.format(cells)).isEqualTo("2..9994:8");

        assertThat(CellList.parse("7,19..21", 40).stream()).containsExactly(7, 19, 20, 21);
        for (String wrong : new String[] {"", "a", "3..1", "40", "1..3:0", "1,,2", "-1"}) {
            assertThatThrownBy(() -> CellList.parse(wrong, 40))
                    .hasMessage(
                            "--cells cannot be '"
                                    + wrong
                                    + "': allowed are numbers of runs from 0 to 39 and ranges"
                                    + " FROM..TO or FROM..TO:STEP, with commas between them");
        }
    }
}
