package io.headgate.control.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TableTest {
    @Test
    void aTableThatFitsHasOneLineOfHeadings() {
        Table table = new Table("port", ">in (frames)");
        table.row("p1", "7");
        assertThat(table.toString()).isEqualTo("port  in (frames)\np1              7\n");
    }

    @Test
    void headingsTakeSeveralLinesBeforeATableIsWiderThanATerminal() {
        Table table = new Table("port", ">a long heading (ms)", ">" + "x".repeat(90));
        table.row("p1", "1.5", "2");
        assertThat(table.toString().lines())
                .containsExactly(
                        "       a long",
                        "      heading",
                        "port     (ms)  " + "x".repeat(90),
                        "p1        1.5  " + " ".repeat(89) + "2");
    }

    @Test
    void aLastColumnOfTextIsFolded() {
        Table table = new Table("reason", "meaning");
        table.row("QUEUE_FULL", "egress queue at its limit ".repeat(8).strip());
        assertThat(table.toString().lines())
                .hasSize(4)
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(Prose.COLUMNS));
        assertThat(table.toString().replaceAll("\\s+", " "))
                .contains("egress queue at its limit ".repeat(8).strip());
    }

    @Test
    void aSentenceIsFoldedAtSpacesOnly() {
        String sentence = "word ".repeat(50).strip();
        assertThat(Prose.folded(sentence, 2).lines())
                .hasSize(3)
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(Prose.COLUMNS));
        assertThat(Prose.folded(sentence, 2).replaceAll("\\s+", " ")).isEqualTo(sentence);
        String word = "x".repeat(300);
        assertThat(Prose.folded(word, 2)).isEqualTo(word);
        assertThat(Prose.folded("  " + word + " y", 4)).isEqualTo("  " + word + "\n    y");
    }

    @Test
    void linesThatATextHasAreKept() {
        String half = "word ".repeat(15).strip();
        assertThat(Prose.folded("  " + half + ":\n" + half + "\n", 4))
                .isEqualTo("  " + half + ":\n    " + half);
        assertThat(Prose.folded("", 4)).isEmpty();
    }
}
