package io.millrace.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.millrace.api.Schedule;
import io.millrace.console.api.trigger.UpcomingRoutes.Upcoming;
import io.millrace.console.api.trigger.UpcomingRoutes.UpcomingJob;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.trigger.SampleTriggers;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerCore;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.TestDatabase;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What will run, of jobs and triggers that are on record, at a clock of ours. */
class UpcomingTest {
  /** 2027-01-15T08:00:00Z. */
  private static final long NOW = 1_800_000_000_000L;

  private static final Instant EIGHT = Instant.ofEpochMilli(NOW);
  private static final long MINUTE = 60_000;

  private final TestDatabase database = TestDatabase.h2();
  private final Stores stores = database.stores();
  private final Console console = Console.open(ConsoleConfig.onLoopback(0), new IdleEngine(stores));
  private final HttpClient http = HttpClient.newHttpClient();
  private long ids = 100;

  UpcomingTest() {
    stores.nodeGroups().ensure("orders", 100);
  }

  @AfterEach
  void close() {
    console.close();
    database.close();
  }

  private HttpResponse<String> get(String query) throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(URI.create(console.url() + "/api/v1/upcoming" + query))
            .header("Authorization", "Bearer " + console.firstToken().orElseThrow())
            .build(),
        BodyHandlers.ofString());
  }

  /** What is planned, of whose jobs a page may hold some only. */
  private Upcoming upcoming(String query) throws IOException, InterruptedException {
    HttpResponse<String> response = get(query);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return new JsonCodec().decodeText(response.body(), Upcoming.class);
  }

  private JobDefinition job(
      String task, JobState state, Schedule schedule, long generatedUntil, @Nullable Long again) {
    JobDefinition job =
        new JobDefinition(
            ++ids,
            "orders",
            task,
            1,
            state,
            schedule,
            SampleTriggers.SPEC,
            StoredParams.NONE,
            7,
            NOW - 1_000,
            generatedUntil,
            again,
            0,
            false);
    stores.jobs().insert(job);
    return job;
  }

  private JobDefinition generated(String task, String cron) {
    return job(
        task, JobState.ACTIVE, new Schedule.Cron(cron, null), NOW + 10 * MINUTE, NOW + 5 * MINUTE);
  }

  private WaitingTrigger oneShot(String task, int priority, long dueAt) {
    long id = ++ids;
    return WaitingTrigger.oneShot(
        id, task, dueAt, priority, NOW, SampleTriggers.SPEC, StoredParams.NONE);
  }

  private static WaitingTrigger row(
      JobDefinition job, TriggerKey key, long id, long dueAt, int attempt) {
    return new WaitingTrigger(
        id,
        new TriggerCore(key, job.id(), 1, key.plannedAt(), attempt),
        dueAt,
        7,
        NOW,
        null,
        StoredParams.NONE,
        false,
        null,
        null);
  }

  private void waits(WaitingTrigger... rows) {
    stores.waiting().insert("orders", List.of(rows));
  }

  private static Instant at(long minutes) {
    return EIGHT.plus(Duration.ofMinutes(minutes));
  }

  @Test
  void jobsFireBeyondWhatIsWritten() throws Exception {
    JobDefinition quarterly = generated("quarterly", "0 0/15 * * * ?");
    waits(quarterly.triggerFor(++ids, at(15).toEpochMilli(), null, NOW));
    generated("tomorrow", "0 0 3 * * ?");

    Upcoming hour = upcoming("");

    assertThat(hour.asOf()).isEqualTo(EIGHT);
    assertThat(hour.until()).isEqualTo(at(60));
    assertThat(hour.complete()).isTrue();
    assertThat(hour.items())
        .containsExactly(
            new UpcomingJob(
                "orders",
                "quarterly",
                true,
                7,
                null,
                "every 15 minutes (Z)",
                List.of(at(15), at(30), at(45), at(60)),
                false));
    assertThat(upcoming("?minutes=14").items()).isEmpty();
    assertThat(upcoming("?minutes=180&language=zh").items().get(0).scheduleInWords())
        .isEqualTo("每 15 分钟（Z）");
  }

  @Test
  void whatWaitsIsShownInTheOrderOfItsTime() throws Exception {
    JobDefinition daily =
        job(
            "daily",
            JobState.ACTIVE,
            new Schedule.Cron("0 5 8 * * ?", null),
            NOW + 10 * MINUTE,
            NOW + 20 * 60 * MINUTE);
    JobDefinition chained =
        job(
            "chained",
            JobState.ACTIVE,
            new Schedule.FixedDelay(Duration.ofHours(1), null, null),
            NOW + 2 * MINUTE,
            null);
    JobDefinition quarterly = generated("quarterly", "0 0/15 * * * ?");
    waits(
        row(
            daily,
            TriggerKey.planned("daily", at(5).toEpochMilli()),
            ++ids,
            at(5).toEpochMilli(),
            1),
        row(
            chained,
            TriggerKey.planned("chained", at(2).toEpochMilli()),
            ++ids,
            at(2).toEpochMilli(),
            1),
        row(quarterly, TriggerKey.planned("quarterly", NOW), ++ids, at(1).toEpochMilli(), 2),
        row(quarterly, TriggerKey.extra("quarterly", NOW - 5, 1), ++ids, at(20).toEpochMilli(), 1),
        oneShot("once", 255, at(3).toEpochMilli()),
        oneShot("late", 1, NOW),
        oneShot("later", 1, at(61).toEpochMilli()),
        oneShot("held", 1, WaitingTrigger.HELD));

    Upcoming hour = upcoming("?group=orders");

    assertThat(hour.items())
        .extracting(UpcomingJob::taskId, UpcomingJob::recurring, job -> job.fires().get(0))
        .containsExactly(
            tuple("quarterly", true, at(1)),
            tuple("chained", true, at(2)),
            tuple("once", false, at(3)),
            tuple("daily", true, at(5)));
    assertThat(hour.items().get(0).fires())
        .as("a retry, an extra run, and the schedule")
        .containsExactly(at(1), at(15), at(20), at(30), at(45), at(60));
    assertThat(hour.items().get(2).scheduleInWords()).isNull();
    assertThat(hour.items().get(2).priority()).isEqualTo(255);
    assertThat(hour.complete()).isTrue();
  }

  @Test
  void aPausedJobRunsOnlyWhatWasAskedFor() throws Exception {
    Schedule everyHour = new Schedule.Cron("0 30 * * * ?", null);
    JobDefinition paused = job("paused", JobState.PAUSED, everyHour, NOW, null);
    JobDefinition tried = job("tried", JobState.PAUSED, everyHour, NOW, null);
    waits(
        row(
            paused,
            TriggerKey.planned("paused", at(30).toEpochMilli()),
            ++ids,
            at(30).toEpochMilli(),
            1),
        row(tried, TriggerKey.extra("tried", NOW, 1), ++ids, at(1).toEpochMilli(), 1));

    assertThat(upcoming("").items())
        .extracting(UpcomingJob::taskId, UpcomingJob::fires)
        .containsExactly(tuple("tried", List.of(at(1))));
  }

  @Test
  void aJobShowsSixtyFireTimes() throws Exception {
    generated("minutely", "0 * * * * ?");

    UpcomingJob hour = upcoming("?minutes=60").items().get(0);
    assertThat(hour.fires()).hasSize(60).endsWith(at(60));
    assertThat(hour.more()).isFalse();
    Upcoming longer = upcoming("?minutes=61");
    assertThat(longer.items().get(0).fires()).isEqualTo(hour.fires());
    assertThat(longer.items().get(0).more()).isTrue();
    assertThat(longer.more()).isTrue();
    assertThat(longer.perMinute()).hasSize(61).startsWith(0, 1).endsWith(1, 1);
  }

  @Test
  void aThousandRowsAreLookedAt() throws Exception {
    List<WaitingTrigger> rows = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      rows.add(oneShot("once-" + i, i % 3, at(1).toEpochMilli() + i));
    }
    stores.waiting().insert("orders", rows);
    assertThat(upcoming("").jobs()).isEqualTo(1_000);
    assertThat(upcoming("").complete()).isTrue();

    waits(oneShot("one-more", 3, at(1).toEpochMilli()));
    assertThat(upcoming("").jobs()).isEqualTo(1_000);
    assertThat(upcoming("").complete()).isFalse();
  }

  @Test
  void fiveHundredJobsAreLookedAt() throws Exception {
    for (int i = 0; i < 500; i++) {
      generated("job-" + i, "0 30 * * * ?");
    }
    assertThat(upcoming("").jobs()).isEqualTo(500);
    assertThat(upcoming("").complete()).isTrue();

    generated("one-more", "0 30 * * * ?");
    waits(oneShot("once", 3, at(1).toEpochMilli()));
    Upcoming hour = upcoming("");
    assertThat(hour.jobs()).isEqualTo(501);
    assertThat(hour.items()).first().extracting(UpcomingJob::taskId).isEqualTo("once");
    assertThat(hour.complete()).isFalse();
  }

  @Test
  void aPageHoldsSomeOfTheJobsAndCountsTheFiresOfAll() throws Exception {
    for (int i = 0; i < 60; i++) {
      waits(oneShot("once-%02d".formatted(i), 1, at(i).toEpochMilli() + 1));
    }
    generated("at-half", "0 30 * * * ?");

    Upcoming start = upcoming("");
    assertThat(start.items())
        .hasSize(50)
        .first()
        .extracting(UpcomingJob::taskId)
        .isEqualTo("once-00");
    assertThat(start.first()).isZero();
    assertThat(start.jobs()).isEqualTo(61);
    assertThat(start.perMinute()).hasSize(60).startsWith(1, 1).endsWith(1);
    assertThat(start.perMinute().get(30)).as("with the job of half past").isEqualTo(2);
    assertThat(start.more()).isFalse();

    Upcoming rest = upcoming("?first=58&limit=2");
    assertThat(rest.items()).extracting(UpcomingJob::taskId).containsExactly("once-57", "once-58");
    assertThat(rest.first()).isEqualTo(58);
    assertThat(rest.perMinute()).isEqualTo(start.perMinute());

    Upcoming behind = upcoming("?first=99");
    assertThat(behind.items()).extracting(UpcomingJob::taskId).containsExactly("once-59");
    assertThat(behind.first()).isEqualTo(60);
    assertThat(upcoming("?contains=nobody").items()).isEmpty();
    assertThat(upcoming("?contains=nobody").first()).isZero();
  }

  @Test
  void jobsAreFoundByAPartOfTheirName() throws Exception {
    waits(
        oneShot("report-of-May", 1, at(1).toEpochMilli()),
        oneShot("invoice", 1, at(2).toEpochMilli()));
    generated("daily-report", "0 5 8 * * ?");

    Upcoming reports = upcoming("?contains=Report");

    assertThat(reports.items())
        .extracting(UpcomingJob::taskId)
        .containsExactly("report-of-May", "daily-report");
    assertThat(reports.jobs()).isEqualTo(2);
    assertThat(reports.perMinute().stream().mapToInt(Integer::intValue).sum()).isEqualTo(2);
    assertThat(upcoming("?contains=of-may").items()).hasSize(1);
  }

  @Test
  void fiftyGroupsAreLookedAt() throws Exception {
    for (int i = 1; i < 50; i++) {
      stores.nodeGroups().ensure("group-" + i, 100);
    }
    assertThat(upcoming("").complete()).isTrue();
    stores.nodeGroups().ensure("one-more", 100);
    assertThat(upcoming("").complete()).isFalse();
    assertThat(upcoming("?group=one-more").complete()).isTrue();
  }

  @Test
  void whatIsNotKnownIsRefused() throws Exception {
    assertThat(get("?group=nobody").statusCode()).isEqualTo(404);
    assertThat(get("?minutes=0").statusCode()).isEqualTo(400);
    assertThat(get("?first=-1").body()).contains("first");
    assertThat(get("?minutes=181").body()).contains("from 1 to 180");
    assertThat(get("?language=fr").body()).contains("must be en or zh");
  }
}
