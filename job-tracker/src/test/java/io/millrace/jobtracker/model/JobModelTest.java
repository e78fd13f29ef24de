package io.millrace.jobtracker.model;

import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.store.TestDatabase;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AfterContainer;

/**
 * The state machines of jobs and triggers under random interleavings of everything that can happen
 * to them, with the invariants checked after every step.
 */
class JobModelTest {
  private static final List<String> TABLES =
      List.of(
          "jt_job",
          "jt_job_submission",
          "jt_job_version",
          "jt_executing",
          "jt_history",
          "jt_dead",
          "jt_feedback",
          "jt_tracker",
          "jt_waiting_orders");

  private static final Map<TestDatabase.Kind, TestDatabase> DATABASES =
      new EnumMap<>(TestDatabase.Kind.class);

  @AfterContainer
  static void closeDatabases() {
    DATABASES.values().forEach(TestDatabase::close);
    DATABASES.clear();
  }

  private static TestDatabase emptied(TestDatabase.Kind kind) {
    TestDatabase database = DATABASES.computeIfAbsent(kind, TestDatabase.Kind::open);
    database.stores().nodeGroups().ensure(HandDrivenTracker.GROUP, 10);
    TABLES.forEach(table -> database.execute("DELETE FROM " + table));
    return database;
  }

  @Property(tries = 60, shrinking = ShrinkingMode.BOUNDED)
  void invariantsHoldAfterEveryStep(@ForAll("interleavings") List<Step> steps) {
    run(steps, TestDatabase.Kind.H2);
  }

  @Property(tries = 4, shrinking = ShrinkingMode.BOUNDED)
  @Tag("database")
  void invariantsHoldOnAServerToo(@ForAll("interleavings") List<Step> steps) {
    run(steps, TestDatabase.Kind.server());
  }

  private static void run(List<Step> steps, TestDatabase.Kind kind) {
    World world = new World(emptied(kind).stores());
    for (Step step : steps) {
      world.take(step);
      Invariants.check(world);
    }
    world.settleDown();
    Invariants.check(world);
  }

  @Provide
  Arbitrary<List<Step>> interleavings() {
    Arbitrary<Step.Kind> kinds =
        Arbitraries.frequency(
            Tuple.of(3, Step.Kind.SUBMIT),
            Tuple.of(2, Step.Kind.REPLACE),
            Tuple.of(2, Step.Kind.PAUSE),
            Tuple.of(3, Step.Kind.RESUME),
            Tuple.of(1, Step.Kind.CANCEL),
            Tuple.of(2, Step.Kind.RUN_NOW),
            Tuple.of(4, Step.Kind.GENERATE),
            Tuple.of(8, Step.Kind.TAKE),
            Tuple.of(7, Step.Kind.COMPLETE),
            Tuple.of(2, Step.Kind.BEAT),
            Tuple.of(6, Step.Kind.PASS),
            Tuple.of(1, Step.Kind.RESCUE),
            Tuple.of(1, Step.Kind.RESTART),
            Tuple.of(1, Step.Kind.ZOMBIE_TAKE));
    return Combinators.combine(
            kinds,
            Arbitraries.integers().between(0, World.TASKS.size() - 1),
            Arbitraries.integers().between(0, 999))
        .as(Step::new)
        .list()
        .ofMinSize(20)
        .ofMaxSize(60);
  }
}
