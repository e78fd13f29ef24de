package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.console.RunningConsole;
import io.millrace.jobclient.JobClient;
import io.millrace.jobtracker.store.TestDatabase;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** More node groups are late than the overview lists: none of them has a worker. */
@InBrowser
class LateGroupsTest {
  private static final int GROUPS = 25;

  private static RunningConsole console;
  private static JobClient client;

  @BeforeAll
  static void submitToGroupsWithoutWorkers() {
    console = RunningConsole.over(TestDatabase.h2());
    client = JobClient.builder().trackers(console.tracker().address()).build();
    List<Job> jobs =
        IntStream.range(0, GROUPS)
            .mapToObj(i -> Job.builder("late-%02d".formatted(i), "report").build())
            .toList();
    client.submitAll(jobs).forEach(result -> assertThat(result.isStored()).isTrue());
  }

  @AfterAll
  static void close() {
    client.close();
    console.close();
  }

  @Test
  void allAreCountedAndCanBeSeen(Operator operator) {
    operator.visit(console.url());
    operator.signIn(console.adminToken());

    operator.sees(GROUPS + " node groups are late");
    assertThat(operator.text())
        .contains("There is no worker for " + GROUPS + " node groups: late-");
    operator.click("All " + GROUPS + " late node groups");
    operator.sees("Other late node groups");
    operator.settle();

    assertThat(operator.text()).contains("late-00", "late-12", "late-24");
  }
}
