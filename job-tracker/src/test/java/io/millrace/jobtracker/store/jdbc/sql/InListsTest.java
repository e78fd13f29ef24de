package io.millrace.jobtracker.store.jdbc.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class InListsTest {

  @Property
  void holdTheSameValuesInListsOfFewSizes(@ForAll @Size(max = 3_000) List<Long> values) {
    List<List<Long>> lists = InLists.of(values);

    Set<Long> listed = lists.stream().flatMap(List::stream).collect(Collectors.toSet());
    assertThat(listed).isEqualTo(new HashSet<>(values));
    assertThat(lists)
        .allSatisfy(
            list -> {
              assertThat(Integer.bitCount(list.size())).isEqualTo(1);
              assertThat(list).hasSizeLessThanOrEqualTo(InLists.MAX_VALUES).isSorted();
            });
  }

  @Test
  void repeatTheLastValueUpToAPowerOfTwo() {
    assertThat(InLists.of(List.of(5, 1, 3, 1))).containsExactly(List.of(1, 3, 5, 5));
    assertThat(InLists.of(List.<Long>of())).isEmpty();
  }

  @Test
  void areCutAtTheirLargestSize() {
    List<Integer> values = IntStream.range(0, InLists.MAX_VALUES + 1).boxed().toList();

    assertThat(InLists.of(values)).extracting(List::size).containsExactly(InLists.MAX_VALUES, 1);
  }
}
