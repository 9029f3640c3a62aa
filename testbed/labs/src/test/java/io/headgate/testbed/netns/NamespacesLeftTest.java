package io.headgate.testbed.netns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.testbed.netns.LabRecords.Lab;
import io.headgate.testbed.netns.LabRecords.Namespace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a lab that fails leaves on record, and which namespaces are removed for it. */
@Tag("netns")
class NamespacesLeftTest {
    private static final String PREFIX = "hgt" + ProcessHandle.current().pid() + "l";
    private static final List<String> NAMES = List.of(PREFIX + "1", PREFIX + "2", PREFIX + "3");

    @TempDir private Path directory;

    /** Two labs of one prefix that start at the same time both find the names free. */
    @Test
    void oneThatLosesANameToAnotherLabRemovesOnlyWhatItMadeItself() throws Exception {
        LabRecords records = new LabRecords(directory.resolve("ours"));
        LabRecords others = new LabRecords(directory.resolve("others"));
        Namespaces ours = Namespaces.plan(NAMES, PREFIX, records, line -> {});
        Namespaces winner = Namespaces.plan(NAMES, PREFIX, others, line -> {});
        try {
            winner.add(NAMES.subList(1, 3), Set.of());

            assertThatThrownBy(() -> ours.add(NAMES, Set.of()))
                    .isInstanceOf(BedException.class)
                    .hasMessageStartingWith("'ip netns add " + NAMES.get(1) + "': ");
            assertThat(records.all().getFirst().namespaces())
                    .containsExactly(
                            new Namespace(
                                    NAMES.getFirst(),
                                    LabRecords.inodeOf(NAMES.getFirst()).orElseThrow()));

            ours.close(List.of());
            assertThat(NAMES)
                    .map(LabRecords::inodeOf)
                    .map(inode -> inode.isPresent())
                    .containsExactly(false, true, true);
            assertThat(records.all()).isEmpty();
        } finally {
            ours.close(List.of());
            winner.close(List.of());
        }
        assertThat(NAMES).allSatisfy(name -> assertThat(LabRecords.inodeOf(name)).isEmpty());
    }

    @Test
    void aDeadLabsRecordIsForgottenOnlyWithTheLastOfItsNamespaces() throws Exception {
        LabRecords records = new LabRecords(directory);
        String stays = PREFIX + "4";
        // ip can neither unmount a directory nor delete it.
        Path place = Files.createDirectories(Path.of("/run/netns", stays));
        List<String> said = new ArrayList<>();
        try {
            Lab dead = LabRecords.ours("dead", List.of(new Namespace(stays, LabRecords.NOT_MADE)));
            records.write(
                    new Lab(dead.id(), dead.pid(), dead.processStart() + 1, dead.namespaces()));
            Namespaces.sweep(records, said::add);
            assertThat(records.all()).hasSize(1);
        } finally {
            Files.delete(place);
        }
        Namespaces.sweep(records, said::add);
        assertThat(records.all()).isEmpty();
        assertThat(said).isEmpty();
    }
}
