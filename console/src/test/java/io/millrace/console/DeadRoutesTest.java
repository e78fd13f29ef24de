package io.millrace.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.console.RunningConsole.Answered;
import io.millrace.console.api.KeptSummary;
import io.millrace.console.api.KeptSummary.StepDone;
import io.millrace.console.api.dead.DeadRoutes.DeadAttempt;
import io.millrace.console.api.dead.DeadRoutes.DeadDetail;
import io.millrace.console.api.dead.DeadRoutes.DeadPage;
import io.millrace.console.api.dead.DeadTriggerSummary;
import io.millrace.console.api.dead.FailureRoutes.FailedJob;
import io.millrace.console.api.dead.FailureRoutes.FailureGroup;
import io.millrace.console.api.dead.FailureRoutes.FailureGroups;
import io.millrace.console.api.dead.ReplayRoutes.ReplayAnswer;
import io.millrace.console.api.dead.ReplayRoutes.ReplayManyAnswer;
import io.millrace.console.api.list.ListCount;
import io.millrace.console.api.operator.AuditRoutes.AuditPage;
import io.millrace.console.http.Problem;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.CauseWords;
import io.millrace.jobtracker.domain.outcome.DeadState;
import io.millrace.jobtracker.domain.outcome.DeadTrigger;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerEntry.Origin;
import io.millrace.jobtracker.domain.outcome.LedgerEntry.Times;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.outcome.ReplayResult.Status;
import io.millrace.jobtracker.domain.trigger.SampleTriggers;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerCore;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.console.Role;
import io.millrace.jobtracker.store.kept.KeptStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DeadRoutesTest {
  private static final AtomicInteger GROUPS = new AtomicInteger();
  private static final long DIED_AT = Instant.parse("2026-03-02T10:00:00Z").toEpochMilli();
  private static final String PATH = "/api/v1/dead";

  private static RunningConsole console;
  private static String viewer;

  private Stores stores;
  private String group;

  @BeforeAll
  static void open() throws IOException, InterruptedException {
    console = RunningConsole.over(TestDatabase.h2());
    viewer = console.token(Role.VIEW);
  }

  @AfterAll
  static void close() {
    console.close();
  }

  @BeforeEach
  void takeGroup() {
    stores = console.tracker().stores();
    group = "group-" + GROUPS.incrementAndGet();
    stores.nodeGroups().ensure(group, 1_000);
  }

  private DeadTrigger died(String taskId, long id, String json) {
    return died(taskId, id, json, "boom", null);
  }

  private DeadTrigger diedOf(String taskId, int number, @Nullable String message) {
    return died(taskId, id(number), "{}", message, null);
  }

  private DeadTrigger died(
      String taskId, long id, String json, @Nullable String message, @Nullable Long replayOf) {
    TriggerKey key = TriggerKey.oneShot(taskId);
    long diedAt = DIED_AT + id % 1_000;
    stores
        .ledger()
        .append(
            List.of(
                new LedgerEntry(
                    id,
                    group,
                    new TriggerCore(key, id, 0, DIED_AT, 3),
                    LedgerStatus.DEAD,
                    true,
                    Cause.of(CauseCode.ATTEMPTS_USED_UP),
                    DIED_AT,
                    1,
                    new Times(DIED_AT, DIED_AT, DIED_AT, DIED_AT, diedAt),
                    "worker-1",
                    message,
                    new Origin("mail", "submission-" + id, "client-1", null, replayOf))));
    DeadTrigger dead =
        new DeadTrigger(
            id,
            group,
            new TriggerCore(key, id, 0, DIED_AT, 3),
            100,
            diedAt,
            Cause.of(CauseCode.ATTEMPTS_USED_UP),
            SampleTriggers.SPEC,
            new StoredParams(json.getBytes(StandardCharsets.UTF_8).length, json),
            replayOf,
            null,
            null);
    stores.dead().append(List.of(dead));
    return dead;
  }

  private void hasDone(DeadTrigger dead, String step) {
    KeptStore.Run run = KeptStore.Run.of(dead);
    console
        .database()
        .execute(
            "INSERT INTO jt_kept VALUES (%d, %d, %d, '%s', 'STEP', '1', 1, %d, %d, '%s', 'a', 0)"
                .formatted(
                    run.jobId(), run.plannedAt(), run.ordinal(), step, DIED_AT, dead.id(), group));
  }

  private static long id(int number) {
    return GROUPS.get() * 1_000L + number;
  }

  private DeadTrigger died(String taskId, int number) {
    return died(taskId, id(number), "{\"n\":\"" + number + "\"}");
  }

  private List<WaitingTrigger> waiting(String taskId) {
    return stores.waiting().findOneShots(group, List.of(taskId));
  }

  private Answered get(String query) throws IOException, InterruptedException {
    return console.request("GET", PATH + query).token(viewer).send();
  }

  private Answered post(String path, @Nullable String json)
      throws IOException, InterruptedException {
    RunningConsole.Asked asked = console.ask("POST", PATH + path);
    return (json == null ? asked : asked.json(json)).send();
  }

  private static String problem(Answered answered, int status) {
    assertThat(answered.status()).as(answered.body()).isEqualTo(status);
    return answered.as(Problem.class).detail();
  }

  @Test
  void listGoesPageByPageFromTheLastToDie() throws Exception {
    for (int i = 1; i <= 5; i++) {
      died("close:" + i, i);
    }
    List<String> tasks = new ArrayList<>();
    String next = "";
    int pages = 0;
    while (next != null) {
      DeadPage page = get("?nodeGroup=" + group + "&limit=2" + next).as(DeadPage.class);
      page.items().forEach(row -> tasks.add(row.taskId()));
      next = page.next() == null ? null : "&after=" + page.next();
      pages++;
    }

    assertThat(tasks).containsExactly("close:5", "close:4", "close:3", "close:2", "close:1");
    assertThat(pages).isEqualTo(3);
    assertThat(problem(get("?after=nonsense"), 400)).contains("after");
    assertThat(problem(get("?state=gone"), 400)).contains("OPEN, REPLAYED, DISCARDED");
  }

  @Test
  void oldestComeFirstIfThatIsAskedAndAllAreCounted() throws Exception {
    for (int i = 1; i <= 3; i++) {
      died("close:" + i, i);
    }
    DeadPage page = get("?nodeGroup=" + group + "&limit=2&order=OLDEST_FIRST").as(DeadPage.class);
    assertThat(page.items())
        .extracting(DeadTriggerSummary::taskId)
        .containsExactly("close:1", "close:2");
    assertThat(tasks("&order=OLDEST_FIRST&after=" + page.next())).containsExactly("close:3");

    assertThat(get("/count?nodeGroup=" + group).as(ListCount.class))
        .isEqualTo(new ListCount(3, 3, false));
    assertThat(get("/count?taskId=close:1&nodeGroup=" + group).as(ListCount.class))
        .isEqualTo(new ListCount(1, 3, false));
    assertThat(get("/count?state=DISCARDED&nodeGroup=" + group).as(ListCount.class))
        .isEqualTo(new ListCount(0, 0, false));
    assertThat(get("/count?upTo=2&nodeGroup=" + group).as(ListCount.class))
        .isEqualTo(new ListCount(2, 2, true));
    assertThat(get("/count?upTo=10000000&nodeGroup=" + group).as(ListCount.class))
        .isEqualTo(new ListCount(3, 3, false));
    Answered refused = get("/count?upTo=10000001");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.as(Problem.class).detail()).contains("from 1 to 10000000");
  }

  @Test
  void listIsFilteredByTaskTimeAndState() throws Exception {
    died("close:1", 1);
    died("open:2", 2);
    died("close:3", 3);
    assertThat(post("/" + id(3) + "/discard", null).status()).isEqualTo(200);

    assertThat(tasks("&taskId=close:")).containsExactly("close:3", "close:1");
    assertThat(tasks("&state=OPEN")).containsExactly("open:2", "close:1");
    assertThat(tasks("&state=discarded")).containsExactly("close:3");
    Instant second = Instant.ofEpochMilli(DIED_AT + id(2) % 1_000);
    assertThat(tasks("&from=" + second)).containsExactly("close:3", "open:2");
    assertThat(tasks("&to=" + second)).containsExactly("close:1");
    assertThat(tasks("&to=-999999999-01-01T00:00:00Z")).isEmpty();
  }

  private List<String> tasks(String filter) throws IOException, InterruptedException {
    return get("?nodeGroup=" + group + filter).as(DeadPage.class).items().stream()
        .map(DeadTriggerSummary::taskId)
        .toList();
  }

  @Test
  void listSaysInOneLineWhyEachDiedAndWhatItReplayed() throws Exception {
    diedOf("silent", 1, null);
    diedOf("lines", 2, " \n  no connection\n\tat Bank.java:7");
    diedOf("long", 3, "🌾".repeat(500));
    died("again", id(4), "{}", "boom", id(2));

    List<DeadTriggerSummary> rows = get("?nodeGroup=" + group).as(DeadPage.class).items();

    assertThat(rows)
        .extracting(DeadTriggerSummary::message)
        .containsExactly("boom", "🌾".repeat(200) + "…", "no connection", null);
    assertThat(rows)
        .extracting(DeadTriggerSummary::replayOf)
        .containsExactly(String.valueOf(id(2)), null, null, null);
  }

  @Test
  void causesComeInChineseToo() throws Exception {
    died("close", 1);
    String words = "尝试次数已用尽";

    DeadDetail detail = get("/" + id(1) + "?language=zh").as(DeadDetail.class);

    assertThat(detail.trigger().cause()).isEqualTo(words);
    assertThat(detail.attempts()).singleElement().extracting(DeadAttempt::cause).isEqualTo(words);
    assertThat(get("?nodeGroup=" + group + "&language=zh").as(DeadPage.class).items())
        .singleElement()
        .extracting(DeadTriggerSummary::cause)
        .isEqualTo(words);
    assertThat(failures("&language=zh").items())
        .singleElement()
        .extracting(FailureGroup::cause)
        .isEqualTo(words);
    assertThat(
            post("/" + id(1) + "/discard?language=zh", null).as(DeadTriggerSummary.class).cause())
        .isEqualTo(words);
    assertThat(get("/" + id(1)).as(DeadDetail.class).trigger().cause())
        .isEqualTo("attempts used up");
    assertThat(problem(get("?language=fr"), 400)).contains("en or zh");
  }

  private FailureGroups failures(String filter) throws IOException, InterruptedException {
    Answered answered = get("/failures?nodeGroup=" + group + filter);
    assertThat(answered.status()).as(answered.body()).isEqualTo(200);
    return answered.as(FailureGroups.class);
  }

  private static String text(int number) {
    return String.valueOf(id(number));
  }

  @Test
  void failuresAreGroupedByCauseAndMessage() throws Exception {
    diedOf("order", 1, "no customer 4711\nat one place");
    diedOf("order", 2, "HTTP 503 of the bank");
    diedOf("other", 3, "no customer 98123 \nat another");
    diedOf("order", 4, "HTTP 404 of the bank");
    diedOf("order", 5, "no customer 4712");
    diedOf("order", 6, null);
    assertThat(post("/" + id(6) + "/discard", null).status()).isEqualTo(200);

    FailureGroups found = failures("");

    assertThat(found.examined()).isEqualTo(5);
    assertThat(found.more()).isFalse();
    assertThat(found.items())
        .extracting(FailureGroup::message)
        .containsExactly("no customer 4712", "HTTP 404 of the bank", "HTTP 503 of the bank");
    FailureGroup largest = found.items().get(0);
    assertThat(largest)
        .isEqualTo(
            new FailureGroup(
                text(5),
                CauseWords.english(Cause.of(CauseCode.ATTEMPTS_USED_UP)),
                "no customer 4712",
                true,
                Instant.ofEpochMilli(DIED_AT + id(1) % 1_000),
                Instant.ofEpochMilli(DIED_AT + id(5) % 1_000),
                2,
                List.of(new FailedJob(group, "order"), new FailedJob(group, "other")),
                List.of(text(5), text(3), text(1))));
    assertThat(found.items().get(1).differ()).isFalse();
    assertThat(failures("&taskId=other").items())
        .singleElement()
        .satisfies(only -> assertThat(only.ids()).containsExactly(text(3)));
  }

  @Test
  void noMoreThanTheNewestAreGroupedAndThatIsSaid() throws Exception {
    for (int i = 1; i <= 998; i++) {
      diedOf("order", i, "boom");
    }
    assertThat(failures("").more()).isFalse();
    for (int i = 0; i < 5; i++) {
      died("newest", 2_000_000_000L + id(i), "{}", "crash", null);
    }

    FailureGroups found = failures("");

    assertThat(found.examined()).isEqualTo(1_000);
    assertThat(found.more()).isTrue();
    assertThat(found.items().stream().mapToInt(each -> each.ids().size()).sum()).isEqualTo(1_000);
  }

  @Test
  void listIsFilteredByWhatAnotherOneDiedOf() throws Exception {
    for (int i = 1; i <= 6; i++) {
      diedOf("order", i, i % 2 == 0 ? "no customer 4711" + i : "boom");
    }

    DeadPage first = get("?nodeGroup=" + group + "&limit=2&like=" + id(4)).as(DeadPage.class);
    assertThat(first.items()).extracting(DeadTriggerSummary::id).containsExactly(text(6), text(4));
    DeadPage rest =
        get("?nodeGroup=" + group + "&limit=2&like=" + id(4) + "&after=" + first.next())
            .as(DeadPage.class);
    assertThat(rest.items()).extracting(DeadTriggerSummary::id).containsExactly(text(2));
    assertThat(rest.next()).isNull();
    assertThat(problem(get("?like=" + Long.MAX_VALUE), 404)).contains("no dead trigger");
  }

  @Test
  void oneIsToldWithAllThatIsKnownOfIt() throws Exception {
    DeadTrigger dead = died("close:1", 1);

    DeadDetail detail = get("/" + dead.id()).as(DeadDetail.class);

    assertThat(detail.trigger().id()).isEqualTo(String.valueOf(dead.id()));
    assertThat(detail.trigger().state()).isEqualTo(DeadState.OPEN);
    assertThat(detail.trigger().recurring()).isFalse();
    assertThat(detail.trigger().attempts()).isEqualTo(3);
    assertThat(detail.trigger().cause()).isEqualTo("attempts used up");
    assertThat(detail.trigger().diedAt()).isEqualTo(Instant.ofEpochMilli(dead.diedAt()));
    assertThat(detail.message()).isEqualTo("boom");
    assertThat(detail.workerId()).isEqualTo("worker-1");
    assertThat(detail.handler()).isEqualTo("mail");
    assertThat(detail.params()).isEqualTo(Map.of("n", "1"));
    assertThat(detail.attempts())
        .singleElement()
        .matches(attempt -> attempt.executionId().equals(String.valueOf(dead.id())))
        .matches(attempt -> attempt.status().equals("DEAD"))
        .matches(attempt -> "attempts used up".equals(attempt.cause()));
    assertThat(detail.replayStatus()).isNull();
    assertThat(problem(get("/42"), 404)).isEqualTo("there is no dead trigger 42");
  }

  @Test
  void stepsAreShownUntilTheReplayTakesThemOver() throws Exception {
    DeadTrigger dead = died("close:1", 1);
    assertThat(get("/" + dead.id()).as(DeadDetail.class).kept()).isNull();
    hasDone(dead, "charge");

    KeptSummary kept = get("/" + dead.id()).as(DeadDetail.class).kept();
    assertThat(Objects.requireNonNull(kept).steps())
        .extracting(StepDone::name)
        .containsExactly("charge");

    assertThat(post("/" + dead.id() + "/replay", "{}").status()).isEqualTo(200);
    assertThat(get("/" + dead.id()).as(DeadDetail.class).kept()).isNull();
  }

  @Test
  void replayWritesANewTriggerOnceAndIsOnRecord() throws Exception {
    DeadTrigger dead = died("close:1", 1);

    ReplayAnswer answer = post("/" + dead.id() + "/replay", "{}").as(ReplayAnswer.class);

    assertThat(answer.status()).isEqualTo(Status.REPLAYED);
    assertThat(waiting("close:1"))
        .singleElement()
        .matches(row -> String.valueOf(row.id()).equals(answer.replayId()))
        .matches(row -> row.params().json().equals("{\"n\":\"1\"}"));
    assertThat(problem(post("/" + dead.id() + "/replay", "{}"), 409))
        .contains("has already been replayed as " + answer.replayId());
    assertThat(problem(post("/" + dead.id() + "/discard", null), 409))
        .contains("has already been replayed as " + answer.replayId());
    DeadTriggerSummary row = get("/" + dead.id()).as(DeadDetail.class).trigger();
    assertThat(row.state()).isEqualTo(DeadState.REPLAYED);
    assertThat(row.replayId()).isEqualTo(answer.replayId());
    assertThat(row.settledBy()).isEqualTo("operator/admin");
    assertThat(
            console
                .ask("GET", "/api/v1/audit?action=replayDead&limit=5")
                .send()
                .as(AuditPage.class)
                .items())
        .anyMatch(
            entry -> entry.target().endsWith("/" + dead.id() + "/replay") && entry.status() == 200);
  }

  @Test
  void replayTakesOtherParameters() throws Exception {
    DeadTrigger dead = died("close:1", 1);
    String tooLarge = "{\"params\":{\"k\":\"" + "x".repeat(1 << 20) + "\"}}";
    assertThat(problem(post("/" + dead.id() + "/replay", tooLarge), 422))
        .contains("PARAMS_TOO_LARGE");

    post("/" + dead.id() + "/replay", "{\"params\":{\"n\":\"other\"}}");

    assertThat(waiting("close:1"))
        .singleElement()
        .matches(row -> row.params().json().equals("{\"n\":\"other\"}"));
  }

  @Test
  void discardIsNotedOnce() throws Exception {
    DeadTrigger dead = died("close:1", 1);

    DeadTriggerSummary first =
        post("/" + dead.id() + "/discard", null).as(DeadTriggerSummary.class);
    DeadTriggerSummary again =
        post("/" + dead.id() + "/discard", null).as(DeadTriggerSummary.class);

    assertThat(first.state()).isEqualTo(DeadState.DISCARDED);
    assertThat(first.settledBy()).isEqualTo("operator/admin");
    assertThat(again).isEqualTo(first);
    assertThat(post("/" + dead.id() + "/replay", "{}").status()).isEqualTo(200);
  }

  @Test
  void allOfAFilterAreReplayedPortionByPortion() throws Exception {
    for (int i = 1; i <= 5; i++) {
      died("close:" + i, i);
    }
    died("other", 6);
    stores.waiting().insert(group, List.of(occupied("close:1")));
    String filter = "{\"nodeGroup\":\"" + group + "\",\"taskId\":\"close:\",\"limit\":3";

    ReplayManyAnswer first = post("/replay", filter + "}").as(ReplayManyAnswer.class);
    assertThat(first.items())
        .extracting(ReplayAnswer::status)
        .containsExactly(Status.REFUSED, Status.REPLAYED, Status.REPLAYED);
    assertThat(first.items().get(0).message()).contains("is in use");
    assertThat(first.replayed()).isEqualTo(2);
    assertThat(first.left()).isEqualTo(2);

    ReplayManyAnswer second =
        post("/replay", filter + ",\"after\":\"" + first.next() + "\"}").as(ReplayManyAnswer.class);
    assertThat(second.replayed()).isEqualTo(2);
    assertThat(second.left()).isZero();
    assertThat(waiting("close:4")).hasSize(1);
    assertThat(waiting("other")).isEmpty();
    assertThat(tasks("&state=OPEN")).containsExactly("other", "close:1");
  }

  private static WaitingTrigger occupied(String taskId) {
    long id = id(900);
    return new WaitingTrigger(
        id,
        new TriggerCore(TriggerKey.oneShot(taskId), id, 0, DIED_AT, 1),
        Long.MAX_VALUE - 1,
        100,
        DIED_AT,
        SampleTriggers.SPEC,
        StoredParams.NONE,
        false,
        null,
        null);
  }

  @Test
  void thoseOfGivenIdsAreReplayed() throws Exception {
    DeadTrigger one = died("close:1", 1);
    DeadTrigger two = died("close:2", 2);
    String ids = "{\"ids\":[\"%d\",\"%d\",\"%d\",\"42\"]".formatted(one.id(), two.id(), one.id());

    ReplayManyAnswer answer =
        post("/replay", ids + ",\"params\":{\"n\":\"all\"}}").as(ReplayManyAnswer.class);

    assertThat(answer.items())
        .extracting(ReplayAnswer::status)
        .containsExactly(Status.REPLAYED, Status.REPLAYED, Status.NOT_FOUND);
    assertThat(answer.left()).isZero();
    assertThat(answer.next()).isNull();
    assertThat(waiting("close:2").get(0).params().json()).isEqualTo("{\"n\":\"all\"}");
    assertThat(post("/replay", ids + "}").as(ReplayManyAnswer.class).items())
        .extracting(ReplayAnswer::status)
        .containsExactly(Status.REPLAYED_BEFORE, Status.REPLAYED_BEFORE, Status.NOT_FOUND);
  }

  @Test
  void whoeverReplaysManySaysWhich() throws Exception {
    assertThat(
            problem(
                post(
                    "/" + died("both", 9).id() + "/replay",
                    "{\"params\":{},\"keepSucceeded\":true}"),
                422))
        .contains("params cannot be combined with keepSucceeded");
    assertThat(problem(post("/replay", "{}"), 422)).contains("give either ids");
    assertThat(problem(post("/replay", "{\"limit\":3}"), 422)).contains("give either ids");
    assertThat(problem(post("/replay", "{\"ids\":[]}"), 422)).contains("between 1 and 500");
    assertThat(problem(post("/replay", "{\"ids\":[\"x\"]}"), 400)).contains("ids");
    assertThat(problem(post("/replay", "{\"ids\":[\"1\"],\"nodeGroup\":\"a\"}"), 422))
        .contains("cannot be combined with a filter");
    assertThat(problem(post("/replay", "{\"nodeGroup\":\"a\",\"limit\":501}"), 422))
        .contains("between 1 and 500");
    assertThat(problem(post("/replay", "{\"nodeGroup\":\"a\",\"after\":\"x\"}"), 400))
        .contains("after");
  }
}
