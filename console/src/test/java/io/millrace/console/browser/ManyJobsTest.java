package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.RetryPolicy;
import io.millrace.api.Schedule;
import io.millrace.console.RunningConsole;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.TestDatabase;
import java.time.ZoneOffset;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The page of jobs where there are ten thousand. */
@InBrowser
class ManyJobsTest {
  private static final int JOBS = 10_000;
  private static final int GROUPS = 20;
  private static final int PAGE = 50;
  private static final long LONG_AGO = 1_700_000_000_000L;

  private static RunningConsole console;

  @BeforeAll
  static void open() {
    TestDatabase database = TestDatabase.h2();
    Stores stores = database.stores();
    for (int group = 0; group < GROUPS; group++) {
      stores.nodeGroups().ensure(groupName(group), GROUPS);
    }
    for (int i = 0; i < JOBS; i++) {
      stores.jobs().insert(job(i));
    }
    console = RunningConsole.over(database);
  }

  @AfterAll
  static void close() {
    console.close();
  }

  private static String groupName(int group) {
    return "shop-%02d".formatted(group);
  }

  /** Fires once a year, and its next trigger is taken for written. */
  private static JobDefinition job(int i) {
    TriggerSpec spec =
        new TriggerSpec("render", RetryPolicy.DEFAULT, false, false, "", "s-" + i, "shop-web-1");
    return new JobDefinition(
        1_000L + i,
        groupName(i % GROUPS),
        "report-%05d".formatted(i),
        1,
        JobState.PAUSED,
        new Schedule.Cron("0 0 5 1 1 ?", ZoneOffset.UTC, null, null),
        spec,
        StoredParams.NONE,
        100,
        LONG_AGO,
        LONG_AGO,
        null,
        0,
        false);
  }

  @Test
  void theyAreListedPagedAndFound(Operator operator) {
    operator.visit(console.url());
    operator.signIn(console.adminToken());
    operator.open("/jobs");
    assertThat(operator.texts("tbody tr")).hasSize(PAGE);
    assertThat(operator.text()).contains("report-00000").doesNotContain("report-01000");

    operator.click("Next page");
    operator.sees("report-01000");
    operator.settle();
    assertThat(operator.texts("tbody tr")).hasSize(PAGE);
    operator.click("Next page");
    operator.sees("report-02000");
    operator.click("Previous page");
    operator.sees("report-01000");
    operator.click("To the beginning");
    operator.sees("report-00000");

    operator.type("Name contains", "09999");
    operator.type("Node group", groupName(19));
    operator.click("Search");
    operator.sees("report-09999");
    operator.settle();
    assertThat(operator.texts("tbody tr")).hasSize(1);

    operator.type("Node group", "");
    operator.click("Search");
    operator.sees("report-09999");
    operator.settle();
    assertThat(operator.texts("tbody tr")).hasSize(1);

    operator.type("Name contains", "no-such-job");
    operator.click("Search");
    operator.sees("No recurring job matches.");
  }
}
