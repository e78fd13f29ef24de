package io.millrace.jobtracker.faults;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.Location;
import io.millrace.jobtracker.JobTracker;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.Transactions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/**
 * The same life of a cluster again and again, each time with other faults: at every kind of commit
 * and of reply there is in it, and in every way in which it can be lost. One thread drives it, so
 * that what happens up to a fault is the same each time.
 */
@Tag("database")
class CrashWindowTest {
  private static final FragileServer.Replies REPLIES = new FragileServer.Replies();

  private static FragileDatabase database;

  /** The commits and the replies of a run in which nothing goes wrong, by their labels. */
  private static Set<String> commits;

  private static Set<String> replies;

  /** Every fault is told of, with where it came from: tens of thousands of lines. */
  private static final Logger LOGS = (Logger) LoggerFactory.getLogger("io.millrace");

  @BeforeAll
  static void recordAHealthyRun() throws SQLException {
    LOGS.setLevel(Level.OFF);
    database = new FragileDatabase(TestDatabase.ofThisRun());
    CrashInvariants invariants = new CrashInvariants(play(point -> false, Fault.ANSWER_LOST));
    invariants.check(Fault.ANSWER_LOST);
    invariants.checkThatNobodyNoticed();
    commits = labels(database.points());
    replies = labels(REPLIES.points());
  }

  @AfterAll
  static void closeDatabase() throws SQLException {
    LOGS.setLevel(null);
    database.close();
  }

  private static Set<String> labels(List<Point> points) {
    return points.stream().map(Point::label).collect(Collectors.toCollection(TreeSet::new));
  }

  /** Whoever writes in a new place adds to the scenario what brings the tracker there. */
  @Test
  void noWriterIsForgotten() {
    Set<String> writers =
        new ClassFileImporter()
                .importLocations(
                    Set.of(
                        Location.of(
                            JobTracker.class.getProtectionDomain().getCodeSource().getLocation())))
                .stream()
                .filter(CrashWindowTest::writes)
                .map(JavaClass::getName)
                .filter(name -> !name.contains(".store."))
                .filter(name -> !name.equals(FragileDatabase.JOB_REPAIR))
                // Runs every ten minutes; LedgerByAgeTest and PurgerTest lose its transactions.
                .filter(name -> !name.contains(".purge."))
                // Handlers wait for it, and here they must not; MapFaultsTest loses its commits.
                .filter(name -> !name.contains(".parts."))
                .collect(Collectors.toCollection(TreeSet::new));
    assertThat(writers).hasSizeGreaterThan(8);
    assertThat(database.writers()).containsAll(writers);
  }

  private static boolean writes(JavaClass candidate) {
    return candidate.getMethodCallsFromSelf().stream()
        .map(JavaMethodCall::getTarget)
        .anyMatch(
            target ->
                (target.getOwner().isEquivalentTo(Transactions.class)
                        || target.getOwner().getName().equals(FragileDatabase.JOB_REPAIR))
                    && Set.of("inTransaction", "repeating", "run").contains(target.getName()));
  }

  /** The page has a line for every kind of commit and of reply. */
  @Test
  void pageOnCrashWindowsNamesEveryPoint() throws IOException {
    String page = Files.readString(Path.of("../docs/failures.md"));
    assertThat(commits).allSatisfy(label -> assertThat(page).contains("`" + label + "`"));
    assertThat(replies).allSatisfy(label -> assertThat(page).contains("`" + label + "`"));
  }

  @ParameterizedTest
  @EnumSource(names = {"COMMIT_LOST", "ANSWER_LOST"})
  void commitWhoseOutcomeCanBeFoundOutIsNoticedByNobody(Fault fault) {
    // Two in a row are not struck: one looks what became of the other.
    for (int third = 0; third < 3; third++) {
      int rest = third;
      CrashScenario scenario = play(point -> point.occurrence() % 3 == rest, fault);
      CrashInvariants invariants = new CrashInvariants(scenario);
      invariants.check(fault);
      invariants.checkThatNobodyNoticed();
    }
    assertThat(commits).hasSizeGreaterThan(12);
  }

  @ParameterizedTest
  @EnumSource(names = {"COMMIT_LOST_AND_STORE_GONE", "ANSWER_LOST_AND_STORE_GONE"})
  void commitWhoseOutcomeCannotBeFoundOutIsAcknowledgedByNobody(Fault fault) {
    List<String> labels = List.copyOf(commits);
    int runs = 4;
    for (int run = 0; run < runs; run++) {
      Set<String> struck = new TreeSet<>();
      for (int i = run; i < labels.size(); i += runs) {
        struck.add(labels.get(i));
      }
      outlives(
          point -> point.isFirst() && struck.contains(point.label()), fault, "first " + struck);
    }
  }

  /** At random: each 13th in turn could be the same step of a task that is repeated. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void storeThatCannotBeReachedNowAndThenLosesNothing(long seed) {
    outlives(
        point -> new SplittableRandom(seed + ((long) point.occurrence() << 32)).nextInt(13) == 0,
        Fault.UNREACHABLE,
        "one of 13, seed " + seed);
  }

  /** One of the two faults at each commit. */
  @Test
  void trackerThatEndsAtAnyCommitLeavesNothingHalfDone() {
    endsAtEach(commits, database::struck, Fault.HALT_BEFORE_COMMIT, Fault.HALT_AFTER_COMMIT);
  }

  /** The other one. */
  @Test
  @Tag("long")
  @Tag("once")
  void trackerThatEndsTheOtherWayAtAnyCommitLeavesNothingHalfDone() {
    endsAtEach(commits, database::struck, Fault.HALT_AFTER_COMMIT, Fault.HALT_BEFORE_COMMIT);
  }

  /** One of the two faults at each reply. */
  @Test
  void trackerThatEndsAtAnyReplyHasAcknowledgedNothingButWhatIsStored() {
    endsAtEach(replies, REPLIES::struck, Fault.HALT_AFTER_REPLY, Fault.HALT_BEFORE_REPLY);
  }

  /** The other one. */
  @Test
  @Tag("long")
  @Tag("once")
  void trackerThatEndsTheOtherWayAtAnyReplyHasAcknowledgedNothingButWhatIsStored() {
    endsAtEach(replies, REPLIES::struck, Fault.HALT_BEFORE_REPLY, Fault.HALT_AFTER_REPLY);
  }

  private static void endsAtEach(
      Set<String> labels, Supplier<List<Point>> struck, Fault even, Fault odd) {
    Fault fault = even;
    for (String label : labels) {
      outlives(point -> point.isFirst() && point.label().equals(label), fault, label);
      assertThat(struck.get()).extracting(Point::label).containsExactly(label);
      fault = fault == even ? odd : even;
    }
  }

  @Test
  void replyThatIsLostIsAskedForAgain() {
    for (int rest = 0; rest < 2; rest++) {
      int which = rest;
      outlives(point -> point.occurrence() % 8 == which, Fault.REPLY_LOST, "one of 8");
      assertThat(REPLIES.struck()).isNotEmpty();
    }
  }

  private static void outlives(Predicate<Point> which, Fault fault, String where) {
    try {
      new CrashInvariants(play(which, fault)).check(fault);
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(fault + " at " + where + ": " + e.getMessage(), e);
    }
  }

  private static CrashScenario play(Predicate<Point> which, Fault fault) {
    database.begin(which, fault);
    REPLIES.begin(which, fault);
    CrashScenario scenario = new CrashScenario(database, REPLIES);
    scenario.play();
    return scenario;
  }
}
