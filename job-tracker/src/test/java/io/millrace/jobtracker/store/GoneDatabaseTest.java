package io.millrace.jobtracker.store;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jobtracker.store.failure.StoreException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;

class GoneDatabaseTest {
  private static final Map<String, Consumer<Stores>> READS =
      Map.ofEntries(
          Map.entry("due triggers", s -> s.waiting().readDue("g", 1, 0, 1, 1)),
          Map.entry("triggers of an instant", s -> s.waiting().readDueAt("g", 1, 0, 1, 1)),
          Map.entry("next level", s -> s.waiting().nextLevel("g", -1)),
          Map.entry("due count", s -> s.waiting().countDue("g", 1, 1)),
          Map.entry("one-shots", s -> s.waiting().findOneShots("g", List.of("a"))),
          Map.entry("waiting deletes", s -> s.waiting().deleteEach("g", List.of(1L))),
          Map.entry("executions", s -> s.executing().findByGroup("g", 0, 1)),
          Map.entry("jobs to generate", s -> s.jobs().findToGenerate("g", 1, 1)),
          Map.entry("next generation", s -> s.jobs().nextGenerateAt("g")),
          Map.entry("job", s -> s.jobs().find(1)),
          Map.entry("locked jobs", s -> s.jobs().lock(List.of(1L))),
          Map.entry("known submissions", s -> s.ledger().knownSubmissions(List.of("a"))),
          Map.entry("feedback", s -> s.feedback().read("c", 0, 1)),
          Map.entry("job log", s -> s.jobLog().read(1, 0, 1)),
          Map.entry("node groups", s -> s.nodeGroups().all()),
          Map.entry("trackers", s -> s.liveTrackers().at(1)),
          Map.entry("highest id", s -> s.trackers().highestId()),
          Map.entry("clock", s -> s.time().databaseNow()),
          Map.entry("transaction", s -> s.transactions().run("nothing", () -> {})));

  @ParameterizedTest
  @EveryDatabase
  void isAnErrorOfEveryReadAndNeverAnEmptyAnswer(TestDatabase.Kind kind) {
    TestDatabase database = kind.open();
    Stores stores = database.stores();
    stores.nodeGroups().ensure("g", 10);
    database.close();

    READS.forEach(
        (name, read) ->
            assertThatThrownBy(() -> read.accept(stores))
                .as(name)
                .isInstanceOf(StoreException.class));
  }
}
