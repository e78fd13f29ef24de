package io.millrace.jobtracker.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jobtracker.store.failure.StoreException;
import io.millrace.jobtracker.store.failure.StoreUnavailableException;
import io.millrace.jobtracker.store.failure.UnknownOutcomeException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class BatchBisectionTest {
  private final List<List<Integer>> tried = new ArrayList<>();
  private final List<Integer> written = new ArrayList<>();
  private final List<Integer> failed = new ArrayList<>();
  private final List<Throwable> failures = new ArrayList<>();

  @Test
  void batchThatSucceedsIsWrittenInOnePiece() {
    write(List.of(1, 2, 3), Set.of());

    assertThat(tried).containsExactly(List.of(1, 2, 3));
    assertThat(written).containsExactly(1, 2, 3);
    assertThat(failed).isEmpty();
  }

  @Test
  void emptyBatchWritesNothing() {
    write(List.of(), Set.of());

    assertThat(tried).isEmpty();
  }

  @Test
  void batchThatFailsIsSplitUntilTheGuiltyItemIsAlone() {
    write(List.of(1, 2, 3, 4, 5), Set.of(3));

    assertThat(tried)
        .containsExactly(
            List.of(1, 2, 3, 4, 5), List.of(1, 2), List.of(3, 4, 5), List.of(3), List.of(4, 5));
    assertThat(written).containsExactly(1, 2, 4, 5);
    assertThat(failed).containsExactly(3);
  }

  @Test
  void errorOfAnItemFailsOnlyThisItem() {
    write(
        List.of(1, 2, 3),
        part -> {
          if (part.contains(2)) {
            throw new StackOverflowError("nested too deeply");
          }
          return part;
        });

    assertThat(written).containsExactly(1, 3);
    assertThat(failed).containsExactly(2);
    assertThat(failures).singleElement().isInstanceOf(StackOverflowError.class);
  }

  @Test
  void failureThatNoItemCausesEndsTheSplit() {
    UnknownOutcomeException lost = new UnknownOutcomeException("lost", new Exception());
    write(
        List.of(1, 2, 3, 4),
        part -> {
          if (part.size() > 2) {
            throw new StoreException("guilty", null);
          }
          if (part.contains(3)) {
            throw lost;
          }
          return part;
        });

    assertThat(tried).containsExactly(List.of(1, 2, 3, 4), List.of(1, 2), List.of(3, 4));
    assertThat(written).containsExactly(1, 2);
    assertThat(failed).containsExactly(3, 4);
    assertThat(failures).containsExactly(lost);
  }

  @Test
  void restBehindAFailureThatNoItemCausesIsNotTried() {
    write(
        List.of(1, 2, 3, 4),
        part -> {
          throw part.size() > 2
              ? new StoreException("guilty", null)
              : new StoreUnavailableException("no database", null);
        });

    assertThat(tried).containsExactly(List.of(1, 2, 3, 4), List.of(1, 2));
    assertThat(failed).containsExactly(1, 2, 3, 4);
  }

  @Test
  void partThatWasWrittenIsNotWrittenAgainIfItsReceiverThrows() {
    assertThatThrownBy(
            () ->
                BatchBisection.write(
                    List.of(1, 2),
                    tried::add,
                    (part, result) -> {
                      throw new IllegalStateException("careless");
                    },
                    this::fail))
        .isInstanceOf(IllegalStateException.class);

    assertThat(tried).containsExactly(List.of(1, 2));
    assertThat(failed).isEmpty();
  }

  @Property
  void onlyTheGuiltyItemsFailAndAllKeepTheirOrder(
      @ForAll @IntRange(max = 70) int items,
      @ForAll @Size(max = 9) Set<@IntRange(max = 70) Integer> guilty) {
    List<Integer> batch = IntStream.range(0, items).boxed().toList();
    written.clear();
    failed.clear();

    write(batch, guilty);

    assertThat(written)
        .containsExactlyElementsOf(batch.stream().filter(i -> !guilty.contains(i)).toList());
    assertThat(failed).containsExactlyElementsOf(batch.stream().filter(guilty::contains).toList());
  }

  private void write(List<Integer> batch, Set<Integer> guilty) {
    write(
        batch,
        part -> {
          if (!Collections.disjoint(part, guilty)) {
            throw new StoreException("guilty", null);
          }
          return part;
        });
  }

  private void write(List<Integer> batch, Function<List<Integer>, List<Integer>> write) {
    BatchBisection.write(
        batch,
        part -> {
          tried.add(part);
          return write.apply(part);
        },
        (part, result) -> written.addAll(result),
        this::fail);
  }

  private void fail(List<Integer> part, Throwable failure) {
    failed.addAll(part);
    failures.add(failure);
  }
}
