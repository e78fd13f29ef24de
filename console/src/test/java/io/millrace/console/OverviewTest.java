package io.millrace.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.millrace.console.api.fleet.GroupRoutes.GroupPage;
import io.millrace.console.api.fleet.GroupRoutes.GroupSummary;
import io.millrace.console.api.fleet.OverviewRoutes.LateGroup;
import io.millrace.console.api.fleet.OverviewRoutes.LateReason;
import io.millrace.console.api.fleet.OverviewRoutes.Overview;
import io.millrace.console.api.fleet.OverviewRoutes.Pace;
import io.millrace.console.api.fleet.SeriesRoutes.HourlySeries;
import io.millrace.console.api.fleet.SeriesRoutes.Series;
import io.millrace.console.api.fleet.SeriesRoutes.SeriesPoint;
import io.millrace.console.api.fleet.TrackerRoutes.TrackerPage;
import io.millrace.console.api.fleet.TrackerRoutes.TrackerSummary;
import io.millrace.console.http.Problem;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.jobtracker.domain.feature.FeatureLevel;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.console.Counts;
import io.millrace.jobtracker.store.console.Counts.Of;
import io.millrace.jobtracker.store.console.FleetStores;
import io.millrace.jobtracker.store.console.GroupLoadStore.GroupLoad;
import io.millrace.jobtracker.store.console.MinuteCountStore;
import io.millrace.jobtracker.store.console.MinuteCountStore.MinuteCount;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What the console shows of trackers, groups and minutes that are on record, at a clock of ours.
 */
class OverviewTest {
  private static final long NOW = 1_800_000_000_000L;
  private static final long MINUTE = MinuteCountStore.MINUTE;
  private static final long HOUR = MinuteCountStore.HOUR;
  private static final long THIS_MINUTE = NOW - NOW % MINUTE;
  private static final int OWN_LEVEL = FeatureLevel.OWN.number();
  private static final int ALIVE = 0;
  private static final int DEAD = 1;

  private final TestDatabase database = TestDatabase.h2();
  private final Stores stores = database.stores();
  private final FleetStores fleet = stores.console().fleet();
  private final Console console = Console.open(ConsoleConfig.onLoopback(0), new IdleEngine(stores));
  private final HttpClient http = HttpClient.newHttpClient();

  OverviewTest() {
    stores.trackers().acquire("alive", "a:1", NOW, NOW + 5_000);
    stores.trackers().acquire("dead", "b:1", NOW - 9_000, NOW - 1);
  }

  @AfterEach
  void close() {
    console.close();
    database.close();
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(URI.create(console.url() + "/api/v1" + path))
            .header("Authorization", "Bearer " + console.firstToken().orElseThrow())
            .build(),
        BodyHandlers.ofString());
  }

  private <T> T get(String path, Class<T> type) throws IOException, InterruptedException {
    HttpResponse<String> response = get(path);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return new JsonCodec().decodeText(response.body(), type);
  }

  private GroupLoad group(
      String name, int owner, @Nullable Long oldest, int workers, int draining, int free) {
    stores.nodeGroups().ensure(name, 1_000);
    stores.nodeGroups().takeOwnership(name, owner, 0);
    GroupLoad load =
        new GroupLoad(
            name, owner, NOW - 2_000, 7, false, oldest, null, workers, draining, 8, 5, free, 6);
    fleet.groups().put(List.of(load));
    return load;
  }

  private static Counts ended(long started, long succeeded, long lateSum) {
    return new Counts(
        Map.of(
            Of.STARTED,
            started,
            Of.SUCCEEDED,
            succeeded,
            Of.LATE_SUM,
            lateSum,
            Of.LATE_MAX,
            lateSum,
            Of.LATE_100MS,
            started - 1,
            Of.RAN,
            succeeded,
            Of.RUN_SUM,
            5 * succeeded));
  }

  private void counted(String group, long minute, Counts counts) {
    fleet.counts().add(ALIVE, List.of(new MinuteCount(group, minute, counts)));
  }

  @Test
  void moreLateGroupsThanAreListedAreCounted() throws Exception {
    for (int i = 0; i < 120; i++) {
      group("late-" + i, ALIVE, NOW - 20_000 - i, 1, 0, 0);
    }

    Overview overview = get("/overview", Overview.class);

    assertThat(overview.totals().lateGroups()).isEqualTo(120);
    assertThat(overview.late())
        .hasSize(100)
        .first()
        .extracting(LateGroup::name)
        .isEqualTo("late-119");
  }

  @Test
  void largestBacklogsAndGroupsWithoutWorkersAreFoundBehindManyOthers() throws Exception {
    for (int i = 0; i < 30; i++) {
      group("group-" + i, ALIVE, null, 1, 0, 1);
    }
    group("last", ALIVE, null, 0, 0, 0);
    fleet
        .groups()
        .put(
            List.of(
                new GroupLoad("last", ALIVE, NOW - 2_000, 8, false, null, null, 0, 0, 8, 5, 0, 6)));

    Overview overview = get("/overview", Overview.class);

    assertThat(overview.largest()).hasSize(20);
    assertThat(overview.largest().get(0)).isEqualTo(get("/groups/last", GroupSummary.class));
    assertThat(overview.largest().get(0).backlog()).isEqualTo(8);
    assertThat(overview.largest().get(1).name()).isEqualTo("group-0");
    assertThat(overview.withoutWorkers()).containsExactly("last");
  }

  @Test
  void whatIsLateIsNamedWithItsReasonTheLongestFirst() throws Exception {
    group("in-time", ALIVE, NOW - 9_000, 0, 0, 0);
    group("drawn", ALIVE, NOW - 11_000, 2, 0, 1);
    group("busy", ALIVE, NOW - 12_000, 2, 1, 0);
    group("drained", ALIVE, NOW - 13_000, 2, 2, 0);
    group("without", ALIVE, NOW - 14_000, 0, 0, 0);
    group("orphan", DEAD, NOW - 15_000, 1, 0, 1);

    Overview overview = get("/overview", Overview.class);

    assertThat(overview.totals().lateGroups()).isEqualTo(5);
    assertThat(overview.totals().groupsWithoutWorkers()).isEqualTo(2);
    assertThat(overview.late())
        .extracting(LateGroup::name, LateGroup::reason)
        .containsExactly(
            tuple("orphan", LateReason.NO_OWNER),
            tuple("without", LateReason.NO_WORKER),
            tuple("drained", LateReason.ALL_DRAINING),
            tuple("busy", LateReason.NO_FREE_SLOT),
            tuple("drawn", LateReason.BEING_DRAWN));
    assertThat(overview.late().get(1))
        .isEqualTo(
            new LateGroup(
                "without",
                Instant.ofEpochMilli(NOW - 14_000),
                Duration.ofSeconds(14),
                7,
                false,
                LateReason.NO_WORKER,
                "No worker pulls for it."));
    assertThat(overview.late().get(2).text()).startsWith("Each of its 2 workers is draining");
    assertThat(overview.totals().backlog()).isEqualTo(42);
    assertThat(overview.totals().workers()).isEqualTo(7);
    assertThat(overview.totals().drainingWorkers()).isEqualTo(3);
    assertThat(overview.totals().slots()).isEqualTo(48);
    assertThat(overview.totals().slotsInUse()).isEqualTo(30);
    assertThat(overview.totals().executing()).isEqualTo(36);
    assertThat(overview.totals().groups()).isEqualTo(6);
    assertThat(overview.trackers()).isEqualTo(1);
  }

  @Test
  void whatHappenedIsSummedOverAnHourAndADay() throws Exception {
    String all = MinuteCountStore.ALL_GROUPS;
    counted(all, THIS_MINUTE - MINUTE, ended(600, 540, 1_200));
    counted(all, THIS_MINUTE - 30 * MINUTE, ended(10, 10, 90));
    counted(all, THIS_MINUTE - 120 * MINUTE, ended(100, 100, 5));
    counted(all, THIS_MINUTE - 25 * 60 * MINUTE, ended(1_000, 1_000, 5));
    counted("orders", THIS_MINUTE - MINUTE, ended(600, 540, 1_200));

    Overview overview = get("/overview", Overview.class);

    assertThat(overview.lastHour().started()).isEqualTo(610);
    assertThat(overview.lastDay().started()).isEqualTo(710);
    assertThat(overview.lastDay().succeeded()).isEqualTo(650);
    assertThat(overview.lastHour().averageRunMillis()).isEqualTo(5);
    assertThat(overview.lastHour().lateness().maxMillis()).isEqualTo(1_200);
    assertThat(overview.lastHour().lateness().longer()).isEqualTo(2);
    double seconds = (NOW - (THIS_MINUTE - 5 * MINUTE)) / 1_000.0;
    assertThat(overview.now())
        .isEqualTo(
            new Pace(
                Math.round(10 * 600 / seconds) / 10.0,
                Math.round(10 * 540 / seconds) / 10.0,
                2,
                1_200));
  }

  @Test
  void emptyTrackerHasAnOverviewOfNothing() throws Exception {
    Overview overview = get("/overview", Overview.class);

    assertThat(overview.late()).isEmpty();
    assertThat(overview.lastDay().planned()).isZero();
    assertThat(overview.lastDay().lateness().averageMillis()).isZero();
    assertThat(overview.totals().backlogAtLeast()).isFalse();
  }

  @Test
  void aSeriesHasAPointForEveryStep() throws Exception {
    stores.nodeGroups().ensure("orders", 10);
    long from = THIS_MINUTE - 10 * MINUTE;
    counted("orders", from, ended(1, 1, 1));
    counted("orders", from + MINUTE, ended(2, 2, 2));
    counted("orders", from + 4 * MINUTE, ended(4, 4, 4));
    String range =
        "?from=%s&to=%s"
            .formatted(Instant.ofEpochMilli(from + 1), Instant.ofEpochMilli(from + 5 * MINUTE + 1));

    Series series = get("/series" + range + "&group=orders&step=2", Series.class);

    assertThat(series.group()).isEqualTo("orders");
    assertThat(series.from()).isEqualTo(Instant.ofEpochMilli(from));
    assertThat(series.to()).isEqualTo(Instant.ofEpochMilli(from + 6 * MINUTE));
    assertThat(series.points())
        .extracting(SeriesPoint::at)
        .containsExactly(
            Instant.ofEpochMilli(from),
            Instant.ofEpochMilli(from + 2 * MINUTE),
            Instant.ofEpochMilli(from + 4 * MINUTE));
    assertThat(series.points())
        .extracting(point -> point.happened().started())
        .containsExactly(3L, 0L, 4L);
    assertThat(get("/series" + range, Series.class).points())
        .extracting(point -> point.happened().started())
        .containsExactly(0L, 0L, 0L, 0L, 0L, 0L);
    assertThat(get("/series", Series.class).points()).as("the last hour").hasSizeBetween(60, 61);
  }

  @Test
  void aSeriesIsBounded() throws Exception {
    assertThat(refusal("/series?from=2027-01-01T00:00:00Z&to=2027-01-02T00:00:01Z", 400))
        .contains("1,441 points; the limit is 1,440");
    assertThat(
            get("/series?from=2027-01-01T00:00:00Z&to=2027-01-02T00:00:00Z", Series.class).points())
        .hasSize(1_440);
    assertThat(refusal("/series?from=2027-01-02T00:00:00Z&to=2027-01-02T00:00:00Z", 400))
        .contains("from must be before to");
    assertThat(refusal("/series?step=0", 400)).contains("step");
    assertThat(refusal("/series?group=nobody", 404)).contains("no node group nobody");
    assertThat(refusal("/series?from=-999999999-01-01T00:00:00Z&step=1440", 400))
        .contains("points");
  }

  @Test
  void hoursCountWhatWasMovedToThemAndWhatWasNot() throws Exception {
    stores.nodeGroups().ensure("orders", 10);
    long hour = THIS_MINUTE - Math.floorMod(THIS_MINUTE, HOUR);
    counted("orders", hour - 5 * HOUR, ended(1, 1, 1));
    counted("orders", hour - 3 * HOUR + MINUTE, ended(2, 2, 2));
    counted("orders", hour - 3 * HOUR + 59 * MINUTE, ended(4, 4, 4));
    String range =
        "?from=%s&to=%s"
            .formatted(
                Instant.ofEpochMilli(hour - 5 * HOUR + 1), Instant.ofEpochMilli(hour - HOUR - 1));
    HourlySeries before = get("/series/hours" + range + "&group=orders", HourlySeries.class);
    assertThat(stores.console().fleet().counts().moveToHours(hour - 2 * HOUR - MINUTE, 10))
        .isEqualTo(2);

    HourlySeries hours = get("/series/hours" + range + "&group=orders", HourlySeries.class);

    assertThat(hours).isEqualTo(before);
    assertThat(hours.group()).isEqualTo("orders");
    assertThat(hours.from()).isEqualTo(Instant.ofEpochMilli(hour - 5 * HOUR));
    assertThat(hours.to()).isEqualTo(Instant.ofEpochMilli(hour - HOUR));
    assertThat(hours.points())
        .extracting(SeriesPoint::at)
        .containsExactly(
            Instant.ofEpochMilli(hour - 5 * HOUR), Instant.ofEpochMilli(hour - 3 * HOUR));
    assertThat(hours.points())
        .extracting(point -> point.happened().started())
        .containsExactly(1L, 6L);
    assertThat(get("/series/hours" + range, HourlySeries.class).points()).isEmpty();
    assertThat(get("/series/hours?group=orders", HourlySeries.class).points())
        .as("the last seven days")
        .hasSize(2);
    assertThat(refusal("/series/hours?from=2027-01-01T00:00:00Z&to=2027-03-02T00:00:01Z", 400))
        .contains("1,441 points; the limit is 1,440");
    assertThat(refusal("/series/hours?group=unknown", 404)).contains("no node group unknown");
  }

  private String refusal(String path, int status) throws IOException, InterruptedException {
    HttpResponse<String> response = get(path);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    return new JsonCodec().decodeText(response.body(), Problem.class).detail();
  }

  private void counted(String group, long backlog) {
    stores.nodeGroups().ensure(group, 1_000);
    fleet
        .groups()
        .put(
            List.of(
                new GroupLoad(group, ALIVE, NOW, backlog, false, null, null, 1, 0, 8, 0, 8, 0)));
  }

  @Test
  void groupsAreListedByTheirBacklog() throws Exception {
    counted("a", 3);
    counted("c", 9);
    counted("b", 9);
    stores.nodeGroups().ensure("d", 1_000);

    GroupPage all = get("/groups?order=BACKLOG", GroupPage.class);
    assertThat(all.items()).extracting(GroupSummary::name).containsExactly("b", "c", "a", "d");
    GroupPage largest = get("/groups?order=backlog&limit=2", GroupPage.class);
    assertThat(largest.items()).extracting(GroupSummary::name).containsExactly("b", "c");
    assertThat(largest.next()).as("one page").isNull();
    assertThat(get("/groups?order=BACKLOG&contains=A", GroupPage.class).items())
        .extracting(GroupSummary::name)
        .containsExactly("a");
  }

  @Test
  void groupsAndTrackersAreListedPageByPage() throws Exception {
    GroupLoad served = group("a", ALIVE, NOW - 4_000, 2, 1, 0);
    group("b", DEAD, null, 0, 0, 0);
    stores.nodeGroups().ensure("c", 10);

    GroupPage first = get("/groups?limit=2", GroupPage.class);
    assertThat(first.items().get(0))
        .isEqualTo(
            new GroupSummary(
                "a",
                ALIVE,
                "a:1",
                1,
                served.backlog(),
                false,
                Instant.ofEpochMilli(NOW - 4_000),
                null,
                2,
                1,
                8,
                5,
                6,
                Instant.ofEpochMilli(NOW - 2_000)));
    assertThat(first.items().get(1).address()).as("of a dead owner").isNull();
    GroupPage second = get("/groups?limit=2&after=" + first.next(), GroupPage.class);
    assertThat(second.items()).extracting(GroupSummary::name).containsExactly("c");
    assertThat(second.items().get(0).countedAt()).isNull();
    assertThat(second.next()).isNull();
    assertThat(get("/groups/a", GroupSummary.class)).isEqualTo(first.items().get(0));

    TrackerPage trackers = get("/trackers?limit=1", TrackerPage.class);
    assertThat(trackers.items())
        .containsExactly(
            new TrackerSummary(
                ALIVE, "alive", "a:1", Instant.ofEpochMilli(NOW + 5_000), true, 1, OWN_LEVEL));
    trackers = get("/trackers?limit=1&after=" + trackers.next(), TrackerPage.class);
    assertThat(trackers.items())
        .containsExactly(
            new TrackerSummary(
                DEAD, "dead", "b:1", Instant.ofEpochMilli(NOW - 1), false, 1, OWN_LEVEL));
  }
}
