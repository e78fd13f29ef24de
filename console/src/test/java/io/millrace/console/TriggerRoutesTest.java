package io.millrace.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.console.RunningConsole.Answered;
import io.millrace.console.api.TriggerSummary;
import io.millrace.console.api.list.ListCount;
import io.millrace.console.api.trigger.TriggerRoutes.OneShotPage;
import io.millrace.console.api.trigger.TriggerRoutes.TriggerPage;
import io.millrace.jobtracker.store.TestDatabase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class TriggerRoutesTest {
  private static RunningConsole console;

  @BeforeAll
  static void open() throws IOException, InterruptedException {
    console = RunningConsole.over(TestDatabase.h2());
    submit("\"taskId\":\"late\",\"schedule\":{\"at\":\"2030-01-02T00:00:00Z\"}");
    submit("\"taskId\":\"early\",\"schedule\":{\"at\":\"2030-01-01T00:00:00Z\"}");
    submit(
        "\"taskId\":\"same\",\"handler\":\"mail\",\"schedule\":{\"at\":\"2030-01-01T00:00:00Z\"}");
    submit("\"taskId\":\"urgent\",\"schedule\":{\"at\":\"2030-01-03T00:00:00Z\"},\"priority\":1");
    submit("\"taskId\":\"now\",\"priority\":200");
    submit("\"taskId\":\"job\",\"schedule\":{\"cron\":\"0 0 0 1 1 ?\"},\"priority\":50");
    console.ask("POST", "/api/v1/jobs/orders/job/run").json("{}").send();
    console.ask("POST", "/api/v1/jobs/orders/job/run").json("{}").send();
  }

  @AfterAll
  static void close() {
    console.close();
  }

  private static void submit(String job) throws IOException, InterruptedException {
    Answered answered =
        console.ask("POST", "/api/v1/jobs").json("{\"nodeGroup\":\"orders\"," + job + "}").send();
    assertThat(answered.status()).as(answered.body()).isEqualTo(201);
  }

  private static List<TriggerSummary> everything(String query)
      throws IOException, InterruptedException {
    List<TriggerSummary> rows = new ArrayList<>();
    String after = "";
    while (after != null) {
      Answered answered = console.ask("GET", "/api/v1/triggers/orders?" + query + after).send();
      assertThat(answered.status()).as(answered.body()).isEqualTo(200);
      TriggerPage page = answered.as(TriggerPage.class);
      rows.addAll(page.items());
      after = page.next() == null ? null : "&after=" + page.next();
    }
    return rows;
  }

  @Test
  void pagesOfAnyLengthFollowTheOrderOfTheirTurn() throws Exception {
    for (int limit = 1; limit <= 8; limit++) {
      assertThat(everything("limit=" + limit))
          .extracting(TriggerSummary::taskId)
          .containsExactly("urgent", "job", "job", "early", "same", "late", "now");
    }
  }

  private static List<String> oneShots(String query) throws IOException, InterruptedException {
    List<String> tasks = new ArrayList<>();
    String after = "";
    while (after != null) {
      Answered answered =
          console.ask("GET", "/api/v1/triggers/orders/one-shots?" + query + after).send();
      assertThat(answered.status()).as(answered.body()).isEqualTo(200);
      OneShotPage page = answered.as(OneShotPage.class);
      page.items().forEach(row -> tasks.add(row.taskId()));
      after = page.next() == null ? null : "&after=" + page.next();
    }
    return tasks;
  }

  @Test
  void oneShotsAreListedByTheirNames() throws Exception {
    for (int limit = 1; limit <= 6; limit++) {
      assertThat(oneShots("limit=" + limit))
          .containsExactly("early", "late", "now", "same", "urgent");
    }
    assertThat(oneShots("prefix=e")).containsExactly("early");
    assertThat(oneShots("prefix=job")).isEmpty();
    assertThat(oneShots("limit=1&handler=mail")).containsExactly("same");
    assertThat(console.ask("GET", "/api/v1/triggers/nowhere/one-shots").send().status())
        .isEqualTo(404);
    assertThat(console.ask("GET", "/api/v1/triggers/orders/one-shots?after=x").send().status())
        .isEqualTo(400);
  }

  private ListCount count(String of) throws Exception {
    Answered answered = console.ask("GET", "/api/v1/triggers/orders" + of).send();
    assertThat(answered.status()).as(answered.body()).isEqualTo(200);
    return answered.as(ListCount.class);
  }

  @Test
  void whatWaitsIsCounted() throws Exception {
    int all = everything("limit=500").size();
    assertThat(count("/count")).isEqualTo(new ListCount(all, all, false));
    assertThat(count("/count?upTo=3")).isEqualTo(new ListCount(3, 3, true));
    assertThat(count("/count?upTo=10000000")).isEqualTo(new ListCount(all, all, false));
    assertThat(count("/one-shots/count")).isEqualTo(new ListCount(5, all, false));
    assertThat(count("/one-shots/count?upTo=2")).isEqualTo(new ListCount(1, 2, true));
    assertThat(count("/one-shots/count?prefix=e")).isEqualTo(new ListCount(1, 1, false));
    assertThat(count("/one-shots/count?handler=mail")).isEqualTo(new ListCount(1, all, false));
    assertThat(console.ask("GET", "/api/v1/triggers/nowhere/count").send().status()).isEqualTo(404);
  }

  @Test
  void rowsSayWhatTheyAreAndWhatTheyWaitFor() throws Exception {
    List<TriggerSummary> rows = everything("limit=500");

    assertThat(rows.get(0).kind()).isEqualTo(TriggerSummary.Kind.ONE_SHOT);
    assertThat(rows.get(0).state()).isEqualTo(TriggerSummary.Condition.WAITING);
    assertThat(rows.get(0).dueAt()).isEqualTo("2030-01-03T00:00:00Z");
    assertThat(rows.get(0).submittedBy()).isEqualTo("operator/admin");
    assertThat(rows.get(1).kind()).isEqualTo(TriggerSummary.Kind.EXTRA);
    assertThat(rows.get(1).ordinal()).isEqualTo(1);
    assertThat(rows.get(6).state()).isEqualTo(TriggerSummary.Condition.DUE);
  }

  @Test
  void heldOnesAreShownAsSuch() throws Exception {
    submit("\"taskId\":\"held\",\"schedule\":{\"at\":\"2030-01-01T00:00:00Z\"},\"priority\":255");
    console
        .database()
        .execute(
            "UPDATE jt_waiting_orders SET due_at = 9223372036854775807 WHERE task_id = 'held'");

    List<TriggerSummary> rows = everything("limit=3");
    console.ask("DELETE", "/api/v1/jobs/orders/held").send();

    TriggerSummary held = rows.get(rows.size() - 1);
    assertThat(held.taskId()).isEqualTo("held");
    assertThat(held.state()).isEqualTo(TriggerSummary.Condition.HELD);
    assertThat(held.dueAt()).isNull();
  }

  @Test
  void triggersOfOneTaskAreFound() throws Exception {
    assertThat(everything("limit=1&task=job"))
        .extracting(TriggerSummary::ordinal)
        .containsExactly(1, 2);
    assertThat(everything("task=nobody")).isEmpty();
  }
}
