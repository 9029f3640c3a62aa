package io.headgate.dataplane.deadlockbreaker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlotWordsTest {
    /** 64 slots of 4 priorities are 256, of which a frame has room to say 255. */
    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1", "255, 255", "256, 255", "512, 255", "-1, 0"})
    void moreSlotsThanAWordCanSayAreTheMost(int free, int said) {
        long word = SlotWords.word(65_535, free, 3);
        assertThat(SlotWords.free(word)).isEqualTo(said);
        assertThat(SlotWords.last(word)).isEqualTo(65_535);
        assertThat(word)
                .as("another number, another word")
                .isNotEqualTo(SlotWords.word(65_535, free, 4));
    }
}
