package io.millrace.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.console.RunningConsole.Answered;
import io.millrace.console.RunningConsole.Asked;
import io.millrace.console.api.Cursor;
import io.millrace.console.api.batch.BatchRoutes.BatchPage;
import io.millrace.console.api.dead.DeadRoutes.DeadDetail;
import io.millrace.console.api.dead.DeadRoutes.DeadPage;
import io.millrace.console.api.fleet.GroupRoutes.GroupPage;
import io.millrace.console.api.job.JobDetail;
import io.millrace.console.api.job.JobRoutes.JobPage;
import io.millrace.console.api.operator.SessionRoutes.SignedIn;
import io.millrace.console.api.operator.TokenRoutes.IssuedToken;
import io.millrace.console.http.Param;
import io.millrace.console.http.Problem;
import io.millrace.console.http.Route;
import io.millrace.console.http.Scope;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.tasktracker.JobContext;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tokens that are limited to node groups, against all routes: none of them shows or changes what is
 * of another node group. All that is of the other one has the word {@value #HIDDEN} in it.
 */
@Timeout(180)
class LimitedTokenTest {
  private static final String HIDDEN = "hidden";
  private static final String MINE = "mine";
  private static final AtomicInteger NAMES = new AtomicInteger();

  private static final CountDownLatch RELEASE = new CountDownLatch(1);
  private static final CompletableFuture<Long> RUNNING = new CompletableFuture<>();
  private static final List<TaskTracker> WORKERS = new ArrayList<>();

  private static RunningConsole console;
  private static List<Route> routes;
  private static String batch;
  private static String dead;

  @BeforeAll
  static void open() throws Exception {
    console = RunningConsole.over(TestDatabase.h2());
    for (String group : List.of(HIDDEN, MINE)) {
      TaskTracker worker =
          TaskTracker.builder()
              .trackers(console.tracker().address())
              .nodeGroup(group)
              .id("worker-of-" + group)
              .slots(8)
              .runner(LimitedTokenTest::run)
              .build();
      worker.start();
      WORKERS.add(worker);
      for (String more :
          List.of(
              "daily\",\"schedule\":{\"cron\":\"0 0 3 * * ?\"}",
              "later\",\"schedule\":{\"after\":\"PT30M\"}",
              "slow\"",
              "split\",\"shards\":2",
              "failing\",\"retry\":{\"maxRetries\":1,\"firstDelay\":\"PT0.1S\"}")) {
        String json = "{\"nodeGroup\":\"%s\",\"taskId\":\"%s-%s}".formatted(group, group, more);
        assertThat(console.ask("POST", "/api/v1/jobs").json(json).send().status()).isEqualTo(201);
      }
    }
    batch = awaited("/batches?group=" + HIDDEN, BatchPage.class).items().get(0).id();
    dead = awaited("/dead?nodeGroup=" + HIDDEN, DeadPage.class).items().get(0).id();
    long unused = RUNNING.get(60, TimeUnit.SECONDS);
    try (TestDatabase database = TestDatabase.h2()) {
      ConsoleConfig config = ConsoleConfig.onLoopback(0);
      IdleEngine engine = new IdleEngine(database.stores());
      routes = ConsoleRoutes.of(config, engine, OperatorAccess.of(config, engine));
    }
  }

  @AfterAll
  static void close() {
    RELEASE.countDown();
    WORKERS.forEach(TaskTracker::close);
    console.close();
  }

  private static Result run(JobContext context) throws InterruptedException {
    if (context.taskId().endsWith("failing")) {
      throw new IllegalStateException("the " + context.nodeGroup() + " disk is full");
    }
    context.logger().info("a line of {}", context.nodeGroup());
    if (context.taskId().equals(HIDDEN + "-slow")) {
      RUNNING.complete(context.executionId());
    }
    RELEASE.await();
    return Result.success();
  }

  private static <T> T awaited(String path, Class<T> type) throws Exception {
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(answered(path))
                    .as("%s %s", answered("/executions"), answered("/history"))
                    .doesNotStartWith("{\"items\":[]"));
    return console.ask("GET", "/api/v1" + path).send().as(type);
  }

  private static String answered(String path) throws Exception {
    return console.ask("GET", "/api/v1" + path).send().body();
  }

  private static String token(String role, String groups) throws Exception {
    String name = "limited-" + NAMES.incrementAndGet();
    String json =
        "{\"name\":\"%s\",\"role\":\"%s\",\"nodeGroups\":%s}".formatted(name, role, groups);
    Answered issued = console.ask("POST", "/api/v1/tokens").json(json).send();
    assertThat(issued.status()).as(issued.body()).isEqualTo(201);
    return issued.as(IssuedToken.class).token();
  }

  static Stream<String> limits() {
    return Stream.of("[\"mine\"]", "[\"mine*\"]", "[\"mine\",\"other\"]", "[\"hid\",\"Hid*\"]");
  }

  /** The path of a route with what is of the hidden node group in each place. */
  private static String pathOf(Route route) {
    String id =
        route.path().startsWith("/api/v1/dead")
            ? dead
            : route.path().startsWith("/api/v1/batches") ? batch : RUNNING.join().toString();
    return route
        .path()
        .replace("{group}", HIDDEN)
        .replace("{task}", HIDDEN + "-slow")
        .replace("{worker}", "worker-of-" + HIDDEN)
        .replace("{name}", HIDDEN)
        .replace("{id}", id);
  }

  /** Requests with and without the node group in the query. */
  private static List<String> queriesOf(Route route) {
    List<String> queries = new ArrayList<>(List.of(""));
    for (Param<?> param : route.params()) {
      switch (param.name()) {
        case "group", "nodeGroup" -> {
          if (!param.inPath()) {
            queries.add("?" + param.name() + "=" + HIDDEN);
          }
        }
        case "job" -> queries.add("?job=" + HIDDEN + "/" + HIDDEN + "-slow");
        case "like" -> {
          queries.add("?like=" + dead);
          queries.add("?nodeGroup=" + MINE + "&like=" + dead);
        }
        case "worker" -> {
          if (!param.inPath()) {
            queries.add("?worker=worker-of-" + HIDDEN);
          }
        }
        case "after" -> queries.add("?after=" + Cursor.of(HIDDEN, ""));
        default -> {}
      }
    }
    return queries;
  }

  private static List<String> bodiesOf(Route route) {
    return switch (route.operation()) {
      case "submitJob" ->
          List.of(
              "{\"nodeGroup\":\"hidden\",\"taskId\":\"hidden-new\"}",
              "{\"nodeGroup\":\"hidden\",\"taskId\":\"hidden-daily\",\"replaceExisting\":true}");
      case "replayManyDead" ->
          List.of(
              "{\"ids\":[\"" + dead + "\"]}",
              "{\"nodeGroup\":\"hidden\"}",
              "{\"taskId\":\"hidden\"}",
              "{\"from\":\"2000-01-01T00:00:00Z\"}",
              "{\"nodeGroup\":\"mine\",\"ids\":[\"" + dead + "\"]}");
      case "replaceJob" -> List.of("{\"schedule\":{\"cron\":\"0 0 4 * * ?\"}}");
      case "issueToken" -> List.of("{\"name\":\"thief\",\"role\":\"ADMIN\"}");
      case "previewSchedule", "signIn" -> List.of();
      default -> route.body() == null ? List.of("") : List.of("{}");
    };
  }

  private static Answered send(Route route, String query, String body, String token)
      throws Exception {
    Asked asked = console.request(route.method().name(), pathOf(route) + query).token(token);
    return (body.isEmpty() ? asked : asked.header("If-Match", "*").json(body)).send();
  }

  @ParameterizedTest
  @MethodSource("limits")
  void noRouteShowsOrChangesWhatIsHidden(String limit) throws Exception {
    String before = stateOfTheHidden();
    List<String> leaks = new ArrayList<>();
    for (String role : List.of("OPERATE", "VIEW")) {
      String token = token(role, limit);
      for (Route route : routes) {
        if (route.operation().equals("signOut")
            || route.streamer() != null && role.equals("VIEW")) {
          continue;
        }
        for (String query : queriesOf(route)) {
          for (String body : bodiesOf(route)) {
            Answered answered = send(route, query, body, token);
            String asked = route.operation() + " " + query + " " + body;
            if (shows(answered, pathOf(route) + query + body)) {
              leaks.add(asked + " -> " + answered.status() + " " + answered.body());
            }
            if (route.method().isChange() && answered.status() < 300) {
              leaks.add(asked + " was done: " + answered.body());
            }
          }
        }
      }
    }
    assertThat(leaks).isEmpty();
    assertThat(stateOfTheHidden()).isEqualTo(before);
  }

  /** A refusal may repeat what was asked for; anything else may not have the word in it. */
  private static boolean shows(Answered answered, String asked) {
    boolean refused = List.of(400, 403, 404, 422).contains(answered.status());
    return refused
        ? answered.body().contains("disk is full")
            || answered.body().contains("worker-of-hidden") && !asked.contains("worker-of-hidden")
        : answered.body().contains(HIDDEN) && !answered.body().startsWith("{\"openapi\"");
  }

  private static String stateOfTheHidden() throws Exception {
    JobDetail job =
        console.ask("GET", "/api/v1/jobs/hidden/hidden-daily").send().as(JobDetail.class);
    DeadDetail found = console.ask("GET", "/api/v1/dead/" + dead).send().as(DeadDetail.class);
    int running =
        console.ask("GET", "/api/v1/executions?group=hidden").send().body().split("\"id\"").length;
    return Stream.of(job.state(), job.version(), found.trigger().state(), running)
        .map(String::valueOf)
        .collect(Collectors.joining(" "));
  }

  /** Without this the test above would prove nothing. */
  @Test
  void whatIsHiddenIsThere() throws Exception {
    List<String> shown = new ArrayList<>();
    for (Route route : routes) {
      if (route.method() == Route.Method.GET && route.streamer() == null) {
        for (String query : queriesOf(route)) {
          Answered answered = send(route, query, "", console.adminToken());
          if (answered.status() == 200 && answered.body().contains(HIDDEN)) {
            shown.add(route.operation());
          }
        }
      }
    }
    assertThat(shown)
        .contains(
            "listJobs",
            "getJob",
            "explainJob",
            "listExecutions",
            "getExecution",
            "readLog",
            "downloadLog",
            "listBatches",
            "getBatch",
            "listParts",
            "listHistory",
            "listDead",
            "getDead",
            "groupFailures",
            "listGroups",
            "getGroup",
            "listWorkers",
            "getWorker",
            "upcoming",
            "series",
            "hourlySeries",
            "listAudit",
            "listTriggers");
  }

  @Test
  void whatIsAbsentAndWhatIsHiddenAreAnsweredAlike() throws Exception {
    String token = token("OPERATE", "[\"mine\"]");
    Map<String, String> places =
        Map.of(
            "executions", RUNNING.join().toString(),
            "dead", dead,
            "batches", batch);
    for (Map.Entry<String, String> place : places.entrySet()) {
      String there = "/api/v1/" + place.getKey() + "/";
      Answered hidden = console.request("GET", there + place.getValue()).token(token).send();
      Answered absent = console.request("GET", there + "12345").token(token).send();
      Answered asAll = console.ask("GET", there + "12345").send();

      assertThat(hidden.status()).isEqualTo(404);
      assertThat(hidden.body().replace(place.getValue(), "12345"))
          .isEqualTo(absent.body())
          .isEqualTo(asAll.body());
    }
    String like = "/api/v1/dead?nodeGroup=mine&like=";
    Answered likeHidden = console.request("GET", like + dead).token(token).send();
    Answered likeAbsent = console.request("GET", like + "12345").token(token).send();
    assertThat(likeHidden.status()).isEqualTo(404);
    assertThat(likeHidden.body().replace(dead, "12345")).isEqualTo(likeAbsent.body());
    Answered hidden = console.request("GET", "/api/v1/groups/hidden").token(token).send();
    Answered absent = console.request("GET", "/api/v1/groups/absent").token(token).send();
    assertThat(hidden.body().replace("hidden", "absent")).isEqualTo(absent.body());
  }

  @Test
  void tokenSeesAndChangesWhatIsOfItsNodeGroups() throws Exception {
    String token = token("OPERATE", "[\"mine\"]");

    List<JobPage> pages =
        List.of(
            console.request("GET", "/api/v1/jobs").token(token).send().as(JobPage.class),
            console
                .request("GET", "/api/v1/jobs?group=mine")
                .token(token)
                .send()
                .as(JobPage.class));
    assertThat(pages)
        .allSatisfy(
            page ->
                assertThat(page.items())
                    .extracting(job -> job.taskId())
                    .containsExactly("mine-daily"));
    for (String path :
        List.of(
            "/executions",
            "/history",
            "/dead",
            "/dead/failures",
            "/batches",
            "/workers",
            "/workers/worker-of-mine",
            "/series",
            "/series/hours",
            "/upcoming",
            "/triggers/mine",
            "/jobs/mine/mine-daily/explain",
            "/audit?job=mine/mine-daily",
            "/session")) {
      Answered answered = console.request("GET", "/api/v1" + path).token(token).send();
      assertThat(answered.status()).as(path + answered.body()).isEqualTo(200);
      assertThat(answered.body()).doesNotContain(HIDDEN);
    }
    for (String change : List.of("pause", "resume", "run")) {
      Answered done =
          console.request("POST", "/api/v1/jobs/mine/mine-daily/" + change).token(token).send();
      assertThat(done.status()).as(change + done.body()).isLessThan(300);
    }
    assertThat(
            console
                .request("POST", "/api/v1/jobs")
                .token(token)
                .json("{\"nodeGroup\":\"mine\",\"taskId\":\"mine-new\"}")
                .send()
                .status())
        .isEqualTo(201);
  }

  @Test
  void nodeGroupMustBeNamedWhereMoreThanOneIsPossible() throws Exception {
    for (String limit : List.of("[\"mine*\"]", "[\"mine\",\"other\"]")) {
      String token = token("VIEW", limit);
      Answered refused = console.request("GET", "/api/v1/jobs").token(token).send();
      assertThat(refused.status()).isEqualTo(403);
      assertThat(refused.as(Problem.class).code()).isEqualTo("TOKEN_LIMITED");
      assertThat(refused.as(Problem.class).detail()).contains("?group=");
      assertThat(console.request("GET", "/api/v1/jobs?group=mine").token(token).send().status())
          .isEqualTo(200);
      assertThat(
              console
                  .request("GET", "/api/v1/groups?limit=1")
                  .token(token)
                  .send()
                  .as(GroupPage.class)
                  .items())
          .extracting(group -> group.name())
          .containsExactly("mine");
    }
  }

  @Test
  void roleThatIsTooLowIsSaidWhereTheTokenSees() throws Exception {
    String viewer = token("VIEW", "[\"mine\"]");
    assertThat(
            console
                .request("POST", "/api/v1/jobs/mine/mine-daily/pause")
                .token(viewer)
                .send()
                .status())
        .isEqualTo(403);
  }

  @Test
  void explanationOfAnUnknownJobNamesNoOtherNodeGroup() throws Exception {
    String path = "/api/v1/jobs/mine/hidden-daily/explain";
    assertThat(console.ask("GET", path).send().body()).contains("another node group: hidden");
    Answered limited = console.request("GET", path).token(token("VIEW", "[\"mine\"]")).send();
    assertThat(limited.status()).isEqualTo(404);
    assertThat(limited.body()).doesNotContain("another node group: hidden");
  }

  @Test
  void cursorOfAnotherNodeGroupLeadsNowhere() throws Exception {
    String token = token("VIEW", "[\"mine\"]");
    JobDetail job =
        console.ask("GET", "/api/v1/jobs/hidden/hidden-daily").send().as(JobDetail.class);
    String ofJob = Cursor.of(job.id(), Long.MAX_VALUE, Long.MAX_VALUE);
    for (String path :
        List.of(
            "/history?group=mine&task=mine-daily&after=" + ofJob,
            "/jobs?after=" + Cursor.of(HIDDEN, ""),
            "/jobs?group=mine&after=" + Cursor.of(HIDDEN, ""),
            "/groups?after=hid",
            "/batches?after=" + Cursor.of(0),
            "/executions?after=" + Cursor.of(0))) {
      Answered answered = console.request("GET", "/api/v1" + path).token(token).send();
      assertThat(answered.body()).as(path).doesNotContain(HIDDEN);
    }
  }

  @Test
  void sessionIsLimitedAsItsTokenIs() throws Exception {
    String token = token("OPERATE", "[\"mine\"]");
    Answered session =
        console.request("POST", "/api/v1/session").json("{\"token\":\"" + token + "\"}").send();
    assertThat(session.as(SignedIn.class).nodeGroups()).containsExactly("mine");
    String cookie = Objects.requireNonNull(session.cookie());
    for (String path : List.of("/jobs/hidden/hidden-daily", "/dead/" + dead)) {
      assertThat(console.request("GET", "/api/v1" + path).header("Cookie", cookie).send().status())
          .isEqualTo(404);
    }
    assertThat(
            console
                .request("POST", "/api/v1/jobs/hidden/hidden-daily/pause")
                .header("Cookie", cookie)
                .header("X-CSRF-Token", String.valueOf(session.as(SignedIn.class).csrfToken()))
                .send()
                .status())
        .isEqualTo(404);
  }

  /** A tracker of the version before looks for the plain hash, and knows no limits. */
  @Test
  void olderTrackersDoNotFindLimitedTokens() throws Exception {
    String token = token("OPERATE", "[\"mine\"]");
    String plain =
        HexFormat.of()
            .formatHex(
                MessageDigest.getInstance("SHA-256")
                    .digest(token.getBytes(StandardCharsets.UTF_8)));

    assertThat(console.database().stores().console().operators().findByHash(plain)).isEmpty();
    assertThat(token).startsWith("mrl_");
  }

  @Test
  void limitsThatAreNotPossibleAreRefused() throws Exception {
    for (String wrong :
        List.of(
            "{\"name\":\"x\",\"role\":\"ADMIN\",\"nodeGroups\":[\"mine\"]}",
            "{\"name\":\"x\",\"role\":\"VIEW\",\"nodeGroups\":[]}",
            "{\"name\":\"x\",\"role\":\"VIEW\",\"nodeGroups\":[\"*\"]}",
            "{\"name\":\"x\",\"role\":\"VIEW\",\"nodeGroups\":[\"a b\"]}",
            "{\"name\":\"x\",\"role\":\"VIEW\",\"nodeGroups\":[\"a*b\"]}",
            "{\"name\":\"x\",\"role\":\"VIEW\",\"nodeGroups\":[\"\"]}")) {
      Answered refused = console.ask("POST", "/api/v1/tokens").json(wrong).send();
      assertThat(refused.status()).as(wrong + refused.body()).isEqualTo(422);
    }
  }

  /**
   * What a limited token may not ask for at all, and what is of no node group; all else is checked.
   */
  @Test
  void everyRouteSaysWhichNodeGroupsItIsAbout() {
    Map<Scope.What, List<String>> open =
        routes.stream()
            .filter(route -> !route.scope().reason().isEmpty())
            .collect(
                Collectors.groupingBy(
                    route -> route.scope().what(),
                    Collectors.mapping(Route::operation, Collectors.toList())));
    assertThat(open.get(Scope.What.NONE))
        .containsExactlyInAnyOrder(
            "signIn",
            "whoAmI",
            "signOut",
            "signInProvider",
            "beginSignIn",
            "endSignIn",
            "previewSchedule",
            "health",
            "readiness",
            "liveness",
            "openApi");
    assertThat(open.get(Scope.What.ALL))
        .containsExactlyInAnyOrder(
            "listTokens",
            "issueToken",
            "renewToken",
            "restorePerson",
            "revokeToken",
            "listTrackers",
            "overview",
            "metrics");
    assertThat(open.get(Scope.What.ANSWER)).containsExactly("listGroups");
    assertThat(open.get(Scope.What.QUERY)).containsExactly("listAudit");
    assertThat(routes)
        .filteredOn(route -> route.scope().reason().isEmpty())
        .allSatisfy(LimitedTokenTest::isChecked);
  }

  private static void isChecked(Route route) {
    List<String> params = route.params().stream().map(Param::name).toList();
    switch (route.scope().what()) {
      case PATH -> assertThat(route.path()).contains("{group}");
      case QUERY -> assertThat(params).containsAnyOf("group", "nodeGroup");
      case ID -> assertThat(route.path()).contains("{id}");
      case BODY -> assertThat(route.body()).isNotNull();
      default -> throw new AssertionError(route.operation().toLowerCase(Locale.ROOT));
    }
    if (route.path().contains("{group}")) {
      assertThat(route.scope().what()).isEqualTo(Scope.What.PATH);
    }
    if (route.path().contains("{id}")) {
      assertThat(route.scope().what()).isEqualTo(Scope.What.ID);
    }
  }
}
