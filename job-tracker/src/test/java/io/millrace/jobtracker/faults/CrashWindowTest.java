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
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;
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
  /**
   * Of definitions of tables, which a database commits as it likes: UnusedNodeGroupsContractTest.
   */
  private static final String TESTED_ELSEWHERE = "drop node group …";

  /** How many kinds of one name are struck in one run. */
  private static final int TOGETHER = 3;

  private static final Pattern LABEL = Pattern.compile("`([^`]+)`");

  private static final FragileServer.Replies REPLIES = new FragileServer.Replies();

  private static FragileDatabase database;

  /** The commits and the replies of a run in which nothing goes wrong. */
  private static List<Point> commits;

  private static List<Point> replies;

  /** Every fault is told of, with where it came from: tens of thousands of lines. */
  private static final Logger LOGS = (Logger) LoggerFactory.getLogger("io.millrace");

  @BeforeAll
  static void recordAHealthyRun() throws SQLException {
    LOGS.setLevel(Level.OFF);
    database = new FragileDatabase(TestDatabase.ofThisRun());
    CrashInvariants invariants = new CrashInvariants(play(point -> false, Fault.ANSWER_LOST));
    invariants.check(Fault.ANSWER_LOST);
    invariants.checkThatNobodyNoticed();
    commits = database.points();
    replies = REPLIES.points();
  }

  @AfterAll
  static void closeDatabase() throws SQLException {
    LOGS.setLevel(null);
    database.close();
  }

  private static Set<String> labels(List<Point> points) {
    return points.stream().map(Point::label).collect(Collectors.toCollection(TreeSet::new));
  }

  /** Each kind of point once, by something of which only one point is the first. */
  private static Set<String> kinds(List<Point> points) {
    return points.stream()
        .flatMap(point -> point.firsts().stream().limit(1))
        .collect(Collectors.toCollection(TreeSet::new));
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

  /** The page has a line for every kind of commit and of reply, and for nothing else. */
  @Test
  void pageOnCrashWindowsNamesEveryPointAndNoOther() throws IOException {
    String page = Files.readString(Path.of("../docs/failures.md"));
    Set<String> points = labels(commits);
    points.addAll(labels(replies));
    points.add(TESTED_ELSEWHERE);
    assertThat(labelsOn(page)).containsExactlyInAnyOrderElementsOf(points);
  }

  /** What stands in the first columns of the tables of crash windows. */
  private static Set<String> labelsOn(String page) {
    return page.lines()
        .dropWhile(line -> !line.equals("## Crash windows"))
        .takeWhile(line -> !line.equals("## The reconciler"))
        .filter(line -> line.startsWith("| "))
        .flatMap(line -> LABEL.matcher(line.split("\\|")[1]).results())
        .map(label -> label.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
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
    assertThat(labels(commits)).hasSizeGreaterThan(12);
  }

  @ParameterizedTest
  @EnumSource(names = {"COMMIT_LOST_AND_STORE_GONE", "ANSWER_LOST_AND_STORE_GONE"})
  void commitWhoseOutcomeCannotBeFoundOutIsAcknowledgedByNobody(Fault fault) {
    List<String> kinds = List.copyOf(kinds(commits));
    int runs = 4;
    for (int run = 0; run < runs; run++) {
      Set<String> struck = new TreeSet<>();
      for (int i = run; i < kinds.size(); i += runs) {
        struck.add(kinds.get(i));
      }
      outlives(point -> struck.stream().anyMatch(point::isFirstOf), fault, "first " + struck);
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
      List<Point> points, Supplier<List<Point>> struck, Fault even, Fault odd) {
    Fault fault = even;
    for (List<String> kinds : together(kinds(points))) {
      outlives(point -> kinds.stream().anyMatch(point::isFirstOf), fault, kinds.toString());
      assertThat(kinds)
          .allMatch(kind -> struck.get().stream().anyMatch(point -> point.isFirstOf(kind)));
      fault = fault == even ? odd : even;
    }
  }

  /** Each name has a run of its own, and what differs below names shares some: that is shorter. */
  private static List<List<String>> together(Set<String> kinds) {
    List<List<String>> runs = new ArrayList<>();
    List<String> shared = new ArrayList<>();
    for (String kind : kinds) {
      if (!Point.isDetail(kind)) {
        runs.add(List.of(kind));
        continue;
      }
      shared.add(kind);
      if (shared.size() == TOGETHER) {
        runs.add(List.copyOf(shared));
        shared.clear();
      }
    }
    if (!shared.isEmpty()) {
      runs.add(shared);
    }
    return runs;
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
