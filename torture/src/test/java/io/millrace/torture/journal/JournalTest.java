package io.millrace.torture.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Outcome;
import io.millrace.internal.time.ManualClock;
import io.millrace.jobtracker.domain.outcome.ReplayResult;
import io.millrace.jobtracker.domain.outcome.ReplayResult.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
  @TempDir Path directory;

  private Path path;

  @BeforeEach
  void name() {
    path = directory.resolve("client-1.1");
  }

  @Test
  void callsAreReadAsTheyWereWritten() {
    ManualClock clock = new ManualClock(1_000);
    try (SubmitJournal journal = SubmitJournal.open(path, clock)) {
      journal.asked(1);
      journal.asked(2);
      journal.answered(2, Answer.ACCEPTED, "tabs\tand\nlines");
      journal.answered(1, Answer.UNKNOWN, "");
      journal.delivered("orders/one", Answer.DUPLICATE, "");
      journal.asked(1);
    }

    assertThat(Call.read(List.of(path)))
        .containsExactly(
            new Call("client-1.1", 1, 1_000, 1_000L, Answer.UNKNOWN, ""),
            new Call("client-1.1", 2, 1_000, 1_000L, Answer.ACCEPTED, "tabs and lines"),
            new Call("client-1.1", 1, 1_000, null, Answer.UNKNOWN, "never answered"));
    assertThat(Delivery.read(List.of(path)))
        .containsExactly(new Delivery("orders/one", 1_000, Answer.DUPLICATE));
    assertThat(Call.settled(Call.read(List.of(path)))).containsExactly(2);
  }

  @Test
  void replaysAreReadAsTheyWereWritten() {
    ManualClock clock = new ManualClock(1_000);
    try (ReplayJournal journal = ReplayJournal.open(path, clock)) {
      journal.answered(7, new ReplayResult(Status.REPLAYED, 8L, null, "runs now"));
      journal.answered(9, ReplayResult.not(Status.REFUSED, "the job is\tCANCELLED"));
    }

    assertThat(Replay.read(List.of(path)))
        .containsExactly(
            new Replay("client-1.1", 7, 1_000, Status.REPLAYED, 8L),
            new Replay("client-1.1", 9, 1_000, Status.REFUSED, null));
  }

  @Test
  void tornLastLineIsLeftOut() throws IOException {
    try (JournalFile journal = JournalFile.append(path)) {
      journal.write(RunJournal.BEGAN, 1_000, 77, "orders", "one", 900, 1, 950, 1, 1);
      journal.write(RunJournal.BEGAN, 1_001, 78, "orders", "two", 900, 2, 951, 2, 3);
      journal.write(RunJournal.ENDED, 1_002, 77, Outcome.SUCCESS);
    }
    Files.writeString(path, "ended\t1003\t7", StandardOpenOption.APPEND);

    assertThat(Run.read(List.of(path)))
        .containsExactly(
            new Run(
                "client-1.1",
                77,
                "orders",
                "one",
                900,
                1,
                950,
                1,
                1,
                1_000,
                1_002L,
                Outcome.SUCCESS),
            new Run("client-1.1", 78, "orders", "two", 900, 2, 951, 2, 3, 1_001, null, null));
  }

  @Test
  void fileThatIsNotThereIsEmpty() {
    assertThat(Call.read(List.of(path))).isEmpty();
  }
}
