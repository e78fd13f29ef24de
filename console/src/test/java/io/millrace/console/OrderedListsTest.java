package io.millrace.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.console.RunningConsole.Answered;
import io.millrace.console.http.Problem;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.console.Role;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lists are read in each order that they offer, by pages of any length. */
class OrderedListsTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static RunningConsole console;

  @BeforeAll
  static void open() throws Exception {
    console = RunningConsole.over(TestDatabase.h2());
    submit("bills", "yearly", "\"schedule\":{\"cron\":\"0 0 0 1 1 ?\"}");
    submit("bills", "minutely", "\"schedule\":{\"cron\":\"30 * * * * ?\"}");
    submit("bills", "ended", "\"schedule\":{\"cron\":\"0 0 3 * * ?\"}");
    submit(
        "orders", "monthly", "\"schedule\":{\"every\":\"PT1H\",\"at\":\"2098-01-01T00:00:00Z\"}");
    submit("orders-x", "chained", "\"schedule\":{\"fixedDelay\":\"PT1H\"}");
    Answered cancelled = console.ask("POST", "/api/v1/jobs/bills/ended/cancel").send();
    assertThat(cancelled.status()).as(cancelled.body()).isEqualTo(200);
    for (int i = 1; i <= 3; i++) {
      submit(
          "mail",
          "letter-" + i,
          "\"priority\":%d,\"schedule\":{\"at\":\"2030-01-0%dT00:00:00Z\"}".formatted(i, 4 - i));
    }
    submit("mail", "same-day", "\"schedule\":{\"at\":\"2030-01-02T00:00:00Z\"}");
    String unused = console.token(Role.VIEW);
  }

  @AfterAll
  static void close() {
    console.close();
  }

  private static void submit(String group, String task, String more) throws Exception {
    Answered answered =
        console
            .ask("POST", "/api/v1/jobs")
            .json("{\"nodeGroup\":\"%s\",\"taskId\":\"%s\",%s}".formatted(group, task, more))
            .send();
    assertThat(answered.status()).as(answered.body()).isEqualTo(201);
  }

  /** What the items of a list have in a field, over all pages. */
  private static List<String> all(String list, String field, int limit) throws Exception {
    List<String> found = new ArrayList<>();
    String base = "/api/v1/" + list + (list.contains("?") ? "&" : "?") + "limit=" + limit;
    String after = "";
    while (after != null) {
      Answered answered = console.ask("GET", base + after).send();
      assertThat(answered.status()).as(answered.body()).isEqualTo(200);
      JsonNode page = JSON.readTree(answered.body());
      page.get("items").forEach(item -> found.add(item.get(field).asText()));
      JsonNode next = page.get("next");
      after =
          next == null || next.isNull()
              ? null
              : "&after=" + URLEncoder.encode(next.asText(), StandardCharsets.UTF_8);
    }
    return found;
  }

  @ParameterizedTest
  @CsvSource({
    "jobs, ended minutely yearly monthly chained",
    "jobs?order=name, ended minutely yearly monthly chained",
    "jobs?order=NAME_DESCENDING, chained monthly yearly minutely ended",
    "jobs?order=NAME_DESCENDING&group=bills, yearly minutely ended",
    "jobs?order=NAME_DESCENDING&contains=M, monthly minutely",
    "jobs?order=NEXT_FIRE, minutely yearly monthly ended chained",
    "jobs?order=NEXT_FIRE&group=bills, minutely yearly ended",
    "jobs?order=NEXT_FIRE&state=ACTIVE&contains=y, minutely yearly monthly",
    "triggers/mail, letter-1 letter-2 letter-3 same-day",
    "triggers/mail?order=TURN, letter-1 letter-2 letter-3 same-day",
    "triggers/mail?order=DUE, letter-3 letter-2 same-day letter-1",
    "triggers/mail?order=DUE_DESCENDING, letter-1 same-day letter-2 letter-3",
    "triggers/mail/one-shots, letter-1 letter-2 letter-3 same-day",
    "triggers/mail/one-shots?order=NAME_DESCENDING, same-day letter-3 letter-2 letter-1",
    "triggers/mail/one-shots?order=NAME_DESCENDING&prefix=l, letter-3 letter-2 letter-1",
  })
  void pagesOfAnyLengthHaveTheOrder(String list, String expected) throws Exception {
    for (int limit = 1; limit <= 6; limit++) {
      assertThat(all(list, "taskId", limit)).isEqualTo(Arrays.asList(expected.split(" ")));
    }
  }

  @Test
  void auditAndTokensAreReadFromEitherEnd() throws Exception {
    for (String list : List.of("audit", "tokens")) {
      String field = list.equals("audit") ? "id" : "name";
      List<String> oldest = all(list + "?order=OLDEST_FIRST", field, 500);
      assertThat(oldest).hasSizeGreaterThan(1).doesNotHaveDuplicates();
      assertThat(all(list + "?order=OLDEST_FIRST", field, 2)).isEqualTo(oldest);
      List<String> newest = all(list + "?order=NEWEST_FIRST", field, 2);
      Collections.reverse(newest);
      assertThat(newest).isEqualTo(oldest);
    }
    String before = all("audit", "id", 500).get(1);
    assertThat(
            JSON.readTree(console.ask("GET", "/api/v1/audit?before=" + before).send().body())
                .get("items")
                .get(0)
                .get("id")
                .asText())
        .isEqualTo(all("audit", "id", 500).get(2));
    assertThat(refused("audit?order=OLDEST_FIRST&before=7")).contains("use 'after'");
  }

  private static String refused(String list) throws Exception {
    Answered answered = console.ask("GET", "/api/v1/" + list).send();
    assertThat(answered.status()).as(answered.body()).isEqualTo(400);
    return answered.as(Problem.class).detail();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "jobs | NAME, NAME_DESCENDING, NEXT_FIRE",
        "executions | NEWEST_FIRST, OLDEST_FIRST",
        "triggers/mail | TURN, DUE, DUE_DESCENDING",
        "triggers/mail/one-shots | NAME, NAME_DESCENDING",
        "workers | NAME, NAME_DESCENDING, USED_SLOTS, FREE_SLOTS, LONGEST_SILENT",
        "batches | NEWEST_FIRST, OLDEST_FIRST",
        "batches/1/parts | NUMBER, NUMBER_DESCENDING",
        "audit | NEWEST_FIRST, OLDEST_FIRST",
        "tokens | NEWEST_FIRST, OLDEST_FIRST",
      })
  void unknownOrderIsRefusedWithTheChoices(String list, String choices) throws Exception {
    assertThat(refused(list + "?order=colour")).contains("order must be one of " + choices);
  }

  @Test
  void placeOfAnotherOrderIsRefused() throws Exception {
    String next =
        JSON.readTree(console.ask("GET", "/api/v1/jobs?limit=1").send().body())
            .get("next")
            .asText();
    assertThat(refused("jobs?order=NEXT_FIRE&after=" + next)).contains("'after'");
    assertThat(refused("triggers/mail?order=DUE&after=" + next)).contains("'after'");
    assertThat(refused("triggers/mail?order=DUE&task=letter-1")).contains("leave");
  }

  /** Many priorities are merged, each of which has few rows of a page. */
  @Test
  void triggersOfManyPrioritiesAreInOrderOfTheirDueTimes() throws Exception {
    for (int i = 0; i < 12; i++) {
      submit(
          "levels",
          "t-%02d".formatted(i),
          "\"priority\":%d,\"schedule\":{\"at\":\"2030-01-01T00:00:%02dZ\"}"
              .formatted(200 - i * 7 % 5, i));
    }
    List<String> byDue = IntStream.range(0, 12).mapToObj("t-%02d"::formatted).toList();

    for (int limit : new int[] {1, 2, 3, 5, 12, 13}) {
      assertThat(all("triggers/levels?order=DUE", "taskId", limit)).isEqualTo(byDue);
      List<String> descending = all("triggers/levels?order=DUE_DESCENDING", "taskId", limit);
      Collections.reverse(descending);
      assertThat(descending).isEqualTo(byDue);
    }
  }
}
