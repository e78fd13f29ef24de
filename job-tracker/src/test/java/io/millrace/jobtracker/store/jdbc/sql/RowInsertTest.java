package io.millrace.jobtracker.store.jdbc.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class RowInsertTest {
  private final RowInsert<Integer> insert = ofBytes(0);

  /** Cuts rows that are each so long. */
  private static RowInsert<Integer> ofBytes(int bytes) {
    return new RowInsert<>(
        rows -> "INSERT", RowColumns.<Integer>of().number("number", row -> row), row -> bytes);
  }

  private static List<Integer> rows(int count) {
    return IntStream.range(0, count).boxed().toList();
  }

  @Property
  void cutsRowsInTheirOrderIntoStatementsOfFewSizes(@ForAll @IntRange(max = 2_000) int count) {
    List<List<Integer>> chunks = insert.chunks(rows(count));

    assertThat(chunks.stream().flatMap(List::stream).toList()).isEqualTo(rows(count));
    assertThat(chunks)
        .extracting(List::size)
        .isSortedAccordingTo(Collections.reverseOrder())
        .allSatisfy(
            size ->
                assertThat(size <= RowInsert.EVERY_SIZE_TO || Integer.bitCount(size) == 1)
                    .as("%d is a size", size)
                    .isTrue());
  }

  @Test
  void aSmallBatchIsOneStatement() {
    assertThat(insert.chunks(rows(11))).containsExactly(rows(11));
    assertThat(insert.chunks(rows(RowInsert.EVERY_SIZE_TO))).hasSize(1);
  }

  @Test
  void aLargeBatchIsAFewStatements() {
    assertThat(insert.chunks(rows(100))).extracting(List::size).containsExactly(64, 32, 4);
    assertThat(insert.chunks(rows(RowInsert.MAX_ROWS + 1)))
        .extracting(List::size)
        .containsExactly(RowInsert.MAX_ROWS, 1);
  }

  @Test
  void longRowsGoInAsManyStatementsAsTheirBytesNeed() {
    assertThat(ofBytes(RowInsert.MAX_BYTES / 3).chunks(rows(7)))
        .extracting(List::size)
        .containsExactly(3, 3, 1);
    assertThat(ofBytes(RowInsert.MAX_BYTES * 2).chunks(rows(2)))
        .extracting(List::size)
        .containsExactly(1, 1);
  }
}
