package io.millrace.console.api.list;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.console.http.Call;
import io.millrace.console.http.Caller;
import io.millrace.console.http.Credentials;
import io.millrace.console.http.ProblemException;
import io.millrace.internal.time.ManualClock;
import io.millrace.jobtracker.store.ListCounts.Bound;
import io.millrace.jobtracker.store.ListCounts.Count;
import io.millrace.jobtracker.store.console.Rights;
import io.millrace.jobtracker.store.console.Role;
import io.millrace.jobtracker.store.failure.StoreException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class CountingTest {
  private static final Count SOME = new Count(7, 9, false);

  private final ManualClock clock = new ManualClock(0);
  private final AtomicBoolean clientGone = new AtomicBoolean();
  private final Counting counting = new Counting(clock);

  private ListCount answer(int upTo, Function<Bound, Count> count) {
    return counting.answer(
        new Call(
            new Caller("ann", Rights.of(Role.VIEW), "127.0.0.1"),
            Map.of(Counting.UP_TO.name(), upTo),
            null,
            new Credentials(null, null, null, null, false, "127.0.0.1", ""),
            name -> null,
            clientGone::get),
        count);
  }

  @Test
  void countGoesAsFarAsTheRequestAsks() {
    assertThat(answer(10_000, bound -> new Count(0, bound.rows(), true)))
        .isEqualTo(new ListCount(0, 10_000, true));
    assertThat(answer(10_000_000, bound -> new Count(1, bound.rows(), false)))
        .isEqualTo(new ListCount(1, 10_000_000, false));
  }

  @Test
  void longCountEndsAfterAWhile() {
    ListCount unused =
        answer(
            20_000,
            bound -> {
              clock.advance(Counting.LONGEST.minusNanos(1));
              assertThat(bound.goesOn().getAsBoolean()).isTrue();
              clock.advance(Duration.ofNanos(1));
              assertThat(bound.goesOn().getAsBoolean()).isFalse();
              return SOME;
            });
  }

  @Test
  void longCountEndsIfItsClientHasGone() {
    ListCount unused =
        answer(
            20_000,
            bound -> {
              assertThat(bound.goesOn().getAsBoolean()).isTrue();
              clientGone.set(true);
              assertThat(bound.goesOn().getAsBoolean()).isFalse();
              return SOME;
            });
  }

  /** Runs a count while this many long ones run. */
  private void during(int longCounts, Runnable count) {
    if (longCounts == 0) {
      count.run();
      return;
    }
    ListCount unused =
        answer(
            20_000,
            bound -> {
              during(longCounts - 1, count);
              return SOME;
            });
  }

  @Test
  void longCountsAreFewAtATimeAndOthersRunBesideThem() {
    for (int i = 0; i < 3; i++) {
      during(
          Counting.LONG_COUNTS,
          () -> {
            assertThatExceptionOfType(ProblemException.class)
                .isThrownBy(() -> answer(10_001, bound -> SOME))
                .satisfies(
                    refused -> {
                      assertThat(refused.problem().status()).isEqualTo(503);
                      assertThat(refused.problem().code()).isEqualTo("COUNTS_BUSY");
                    });
            assertThat(answer(10_000, bound -> SOME)).isEqualTo(new ListCount(7, 9, false));
          });
    }
  }

  @Test
  void longCountThatFailsMakesRoomForOthers() {
    StoreException failure = new StoreException("count jobs: away", new RuntimeException());
    for (int i = 0; i <= Counting.LONG_COUNTS; i++) {
      assertThatThrownBy(
              () ->
                  answer(
                      20_000,
                      bound -> {
                        throw failure;
                      }))
          .isSameAs(failure);
    }
  }
}
