package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.console.RunningConsole;
import io.millrace.jobclient.JobClient;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.DeadTrigger;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.SampleTriggers;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerCore;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.store.TestDatabase;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** More node groups are late than the overview lists: none of them has a worker. */
@InBrowser
class LateGroupsTest {
  private static final int GROUPS = 25;

  /** It is none of the first twenty by name, and more waits in it than in the others. */
  private static final String LARGEST = "late-24";

  private static final int WAIT_IN_LARGEST = 4;
  private static final int DIED = 7;

  private static RunningConsole console;
  private static JobClient client;

  @BeforeAll
  static void submitToGroupsWithoutWorkers() {
    console = RunningConsole.over(TestDatabase.h2());
    client = JobClient.builder().trackers(console.tracker().address()).build();
    Stream<Job> one =
        IntStream.range(0, GROUPS)
            .mapToObj(i -> Job.builder("late-%02d".formatted(i), "report").build());
    Stream<Job> more =
        IntStream.range(1, WAIT_IN_LARGEST)
            .mapToObj(i -> Job.builder(LARGEST, "report-" + i).build());
    client
        .submitAll(Stream.concat(one, more).toList())
        .forEach(result -> assertThat(result.isStored()).isTrue());
  }

  @AfterAll
  static void close() {
    client.close();
    console.close();
  }

  @BeforeEach
  void signIn(Operator operator) {
    operator.browser().putMouseAside();
    operator.visit(console.url());
    operator.signIn(console.adminToken());
  }

  @Test
  void allAreCountedAndCanBeSeen(Operator operator) {
    operator.sees(GROUPS + " node groups are late");
    assertThat(operator.text())
        .contains("There is no worker for " + GROUPS + " node groups: late-");
    operator.click("All " + GROUPS + " late node groups");
    operator.sees("Other late node groups");
    operator.settle();

    assertThat(operator.text()).contains("late-00", "late-12", "late-24");
  }

  @Test
  void largestBacklogIsFirst(Operator operator) {
    operator.seesIn(
        "[aria-label='Backlog by node group'] tbody tr:first-child",
        LARGEST + " " + WAIT_IN_LARGEST);
  }

  /** Triggers that died, written to a node group without workers. */
  private static void die() {
    long now = System.currentTimeMillis();
    List<DeadTrigger> dead =
        IntStream.range(0, DIED)
            .mapToObj(
                i ->
                    new DeadTrigger(
                        IdSequence.lowestAt(now + i),
                        "late-00",
                        new TriggerCore(TriggerKey.planned("report", now + i), 1, 0, now + i, 1),
                        100,
                        now + i,
                        Cause.of(CauseCode.ATTEMPTS_USED_UP),
                        SampleTriggers.SPEC,
                        StoredParams.NONE,
                        null,
                        null,
                        null))
            .toList();
    console.database().stores().dead().append(dead);
  }

  private static Object top(Operator operator, String row) {
    return Objects.requireNonNull(
        operator.script(
            "return document.querySelector(arguments[0]).getBoundingClientRect().top", row));
  }

  @Test
  void rowsDoNotMoveUnderThePointerWhenSomethingElseIsWrong(Operator operator) {
    operator.browser().size(Chromium.WIDTH, 2 * Chromium.HEIGHT);
    try {
      operator.sees(GROUPS + " node groups are late");
      operator.settle();
      assertThat(operator.text()).doesNotContain("need attention");
      String row = "tbody tr";
      Object before = top(operator, row);
      operator.browser().putMouseOn(row + " td");
      die();

      operator.seesIn(".verdict", DIED + " dead triggers need attention.");
      assertThat(top(operator, row)).isEqualTo(before);
      operator.browser().putMouseAside();
      operator.seesIn("[aria-label='Died recently'] tbody", "report");
      assertThat(
              operator.script(
                  "const verdict = document.querySelector('.verdict');"
                      + " return verdict.scrollHeight > verdict.clientHeight"))
          .as("the verdict is whole again")
          .isEqualTo(false);
    } finally {
      operator.browser().size(Chromium.WIDTH, Chromium.HEIGHT);
      console.database().execute("DELETE FROM jt_dead");
    }
  }

  @Test
  void dueTriggersStayInTheirPlacesUnderThePointer(Operator operator) {
    operator.open("/late");
    operator.sees("Other late node groups");
    String group =
        String.valueOf(operator.script("return document.querySelector('h2 bdi').textContent"));
    String row = "tr:has(a[href='#/jobs/" + group + "/report'])";
    Object before = top(operator, row);
    operator.browser().putMouseOn(row + " td");

    assertThat(client.submit(Job.builder(group, "urgent").priority(1).build()).isStored()).isTrue();

    operator.sees("1 new");
    assertThat(top(operator, row)).isEqualTo(before);
    operator.click("1 new");
    operator.sees("urgent");
  }
}
