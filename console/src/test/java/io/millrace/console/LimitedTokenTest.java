package io.millrace.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.millrace.console.RunningConsole.Answered;
import io.millrace.console.RunningConsole.Asked;
import io.millrace.console.api.Cursor;
import io.millrace.console.api.batch.BatchRoutes.BatchPage;
import io.millrace.console.api.bulk.BulkChangeSummary;
import io.millrace.console.api.dead.DeadRoutes.DeadDetail;
import io.millrace.console.api.dead.DeadRoutes.DeadPage;
import io.millrace.console.api.fleet.GroupRoutes.GroupPage;
import io.millrace.console.api.history.ExecutionRoutes.ExecutionPage;
import io.millrace.console.api.job.JobDetail;
import io.millrace.console.api.job.JobRoutes.JobPage;
import io.millrace.console.api.operator.SessionRoutes.SignedIn;
import io.millrace.console.api.operator.TokenRoutes.IssuedToken;
import io.millrace.console.api.operator.TokenRoutes.TokenPage;
import io.millrace.console.http.Call;
import io.millrace.console.http.Caller;
import io.millrace.console.http.Credentials;
import io.millrace.console.http.Param;
import io.millrace.console.http.Problem;
import io.millrace.console.http.ProblemException;
import io.millrace.console.http.Route;
import io.millrace.console.http.Scope;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.console.NodeGroups;
import io.millrace.jobtracker.store.console.Rights;
import io.millrace.jobtracker.store.console.Role;
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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tokens that are limited to node groups, against all routes: none of them shows or changes what is
 * of another node group. All that is of the other one has the word {@value #HIDDEN} in it.
 */
@Timeout(180)
class LimitedTokenTest {
  private static final String HIDDEN = "hidden";
  private static final String MINE = "mine";

  /** The node group in which a viewer changes everything there is. */
  private static final String OPERATED = "operated";

  private static final AtomicInteger NAMES = new AtomicInteger();

  private static final CountDownLatch RELEASE = new CountDownLatch(1);
  private static final CompletableFuture<Long> RUNNING = new CompletableFuture<>();
  private static final List<TaskTracker> WORKERS = new ArrayList<>();

  private static RunningConsole console;
  private static List<Route> routes;
  private static String batch;
  private static String dead;
  private static Place hidden;
  private static Place operated;

  /** What requests may be about in a node group: itself, a job, and what has an id. */
  private record Place(
      String group, String task, String running, String batch, String dead, String bulkChange) {

    static Place of(String group, String task) throws Exception {
      String batch = awaited("/batches?group=" + group, BatchPage.class).items().get(0).id();
      String dead = awaited("/dead?nodeGroup=" + group, DeadPage.class).items().get(0).id();
      String slow = "/executions?group=" + group + "&task=" + group + "-slow";
      String running = awaited(slow, ExecutionPage.class).items().get(0).id();
      String bulk =
          "{\"action\":\"RESUME_JOBS\",\"filter\":{\"nodeGroup\":\"%s\",\"prefix\":\"none\"}}";
      Answered asked =
          console.ask("POST", "/api/v1/bulk-changes").json(bulk.formatted(group)).send();
      String bulkChange = asked.as(BulkChangeSummary.class).id();
      return new Place(group, task, running, batch, dead, bulkChange);
    }

    /** The path of a route with what is here in each place. */
    String pathOf(Route route) {
      String path = route.path();
      String id =
          path.startsWith("/api/v1/dead")
              ? dead
              : path.startsWith("/api/v1/batches")
                  ? batch
                  : path.startsWith("/api/v1/bulk-changes") ? bulkChange : running;
      return path.replace("{group}", group)
          .replace("{task}", task)
          .replace("{worker}", "worker-of-" + group)
          .replace("{name}", group)
          .replace("{id}", id);
    }
  }

  @BeforeAll
  static void open() throws Exception {
    console = RunningConsole.over(TestDatabase.h2());
    for (String group : List.of(HIDDEN, MINE, OPERATED)) {
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
    hidden = Place.of(HIDDEN, HIDDEN + "-slow");
    operated = Place.of(OPERATED, OPERATED + "-daily");
    batch = hidden.batch();
    dead = hidden.dead();
    long unused = RUNNING.get(60, TimeUnit.SECONDS);
    try (TestDatabase database = TestDatabase.h2()) {
      routes = new IdleEngine(database.stores()).routes();
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
    return issued("\"role\":\"%s\",\"nodeGroups\":%s".formatted(role, groups));
  }

  /** A token that may look at these node groups, or all for null, and changes some of them. */
  private static String viewer(String groups, String operates) throws Exception {
    return issued(
        "\"role\":\"VIEW\",\"nodeGroups\":%s,\"operates\":%s".formatted(groups, operates));
  }

  private static String issued(String rights) throws Exception {
    String json = "{\"name\":\"limited-%d\",%s}".formatted(NAMES.incrementAndGet(), rights);
    Answered issued = console.ask("POST", "/api/v1/tokens").json(json).send();
    assertThat(issued.status()).as(issued.body()).isEqualTo(201);
    return issued.as(IssuedToken.class).token();
  }

  static Stream<String> limits() {
    return Stream.of("[\"mine\"]", "[\"mine*\"]", "[\"mine\",\"other\"]", "[\"hid\",\"Hid*\"]");
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
      case "requestBulkChange" ->
          List.of(
              "{\"action\":\"RESUME_JOBS\",\"filter\":{\"nodeGroup\":\"hidden\"}}",
              "{\"action\":\"PAUSE_JOBS\",\"filter\":{\"nodeGroup\":\"hidden\"}}",
              "{\"action\":\"PAUSE_JOBS\",\"everything\":true}",
              "{\"action\":\"TERMINATE_EXECUTIONS\",\"filter\":{\"worker\":\"worker-of-hidden\"}}");
      case "replaceJob" -> List.of("{\"schedule\":{\"cron\":\"0 0 4 * * ?\"}}");
      case "issueToken" -> List.of("{\"name\":\"thief\",\"role\":\"ADMIN\"}");
      case "previewSchedule", "signIn" -> List.of();
      default -> route.body() == null ? List.of("") : List.of("{}");
    };
  }

  private static Answered send(Route route, String query, String body, String token)
      throws Exception {
    return send(hidden, route, query, body, token);
  }

  private static Answered send(Place place, Route route, String query, String body, String token)
      throws Exception {
    Asked asked = console.request(route.method().name(), place.pathOf(route) + query).token(token);
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
            if (shows(answered, hidden.pathOf(route) + query + body)) {
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
            "listTriggers",
            "listBulkChanges",
            "getBulkChange");
  }

  @Test
  void whatIsAbsentAndWhatIsHiddenAreAnsweredAlike() throws Exception {
    String token = token("OPERATE", "[\"mine\"]");
    Map<String, String> places =
        Map.of(
            "executions",
            RUNNING.join().toString(),
            "dead",
            dead,
            "batches",
            batch,
            "bulk-changes",
            hidden.bulkChange());
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
            "/jobs/mine/mine-daily/versions",
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
      for (String how : List.of("limit=1", "order=BACKLOG")) {
        assertThat(
                console
                    .request("GET", "/api/v1/groups?" + how)
                    .token(token)
                    .send()
                    .as(GroupPage.class)
                    .items())
            .extracting(group -> group.name())
            .containsExactly("mine");
      }
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

  private static List<Route> changes() {
    return routes.stream().filter(route -> route.role() == Role.OPERATE).toList();
  }

  static Stream<String> operatesAnother() {
    return Stream.of("[\"mine\"]", "[\"mine*\"]", "[\"mine\",\"absent\"]");
  }

  /** What is seen and not operated is refused with a reason, by name and by id. */
  @ParameterizedTest
  @MethodSource("operatesAnother")
  void viewerChangesNothingOfAnotherNodeGroup(String operates) throws Exception {
    String token = viewer("null", operates);
    String before = stateOfTheHidden();
    List<String> wrong = new ArrayList<>();
    for (Route route : changes()) {
      for (String query : queriesOf(route)) {
        for (String body : bodiesOf(route)) {
          Answered answered = send(route, query, body, token);
          boolean namesNone = query.isEmpty() && route.scope().what() == Scope.What.QUERY;
          boolean isRefused =
              answered.status() == 403
                  && "TOKEN_LIMITED".equals(answered.as(Problem.class).code())
                  && answered.body().contains("operates the node groups mine");
          if (!isRefused && !(namesNone && answered.status() == 404)) {
            wrong.add(route.operation() + query + body + " -> " + answered.body());
          }
        }
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(stateOfTheHidden()).isEqualTo(before);
  }

  @Test
  void viewerChangesEverythingOfAnOperatedNodeGroup() throws Exception {
    String token = viewer("null", "[\"mine*\",\"operated\"]");
    List<String> done = new ArrayList<>();
    List<String> refused = new ArrayList<>();
    for (Route route : changes()) {
      String query = route.scope().what() == Scope.What.QUERY ? "?group=" + OPERATED : "";
      String body = bodiesOf(route).get(0).replace(HIDDEN, OPERATED).replace(dead, operated.dead());
      Answered answered = send(operated, route, query, body, token);
      if (answered.status() < 300) {
        done.add(route.operation());
      } else if (!List.of(404, 409).contains(answered.status())
          || answered.body().contains("no node group")) {
        refused.add(route.operation() + " -> " + answered.body());
      }
    }
    assertThat(refused).isEmpty();
    assertThat(done)
        .contains(
            "submitJob",
            "requestBulkChange",
            "stopBulkChange",
            "replaceJob",
            "pauseJob",
            "resumeJob",
            "runJob",
            "cancelJob",
            "terminateExecution",
            "terminateBatch",
            "discardDead",
            "replayDead",
            "drainWorker",
            "undrainWorker");
  }

  @Test
  void viewerWhoOperatesSomeLooksAtEverything() throws Exception {
    String some = viewer("null", "[\"mine\"]");
    String all = token("VIEW", "null");
    for (Route route : routes) {
      if (route.role() == Role.VIEW && route.streamer() == null && !route.method().isChange()) {
        for (String query : queriesOf(route)) {
          assertThat(send(route, query, "", some).status())
              .as(route.operation() + query)
              .isEqualTo(send(route, query, "", all).status())
              .isNotEqualTo(403);
        }
      }
    }
  }

  @Test
  void whatIsNotSeenDoesNotExistForWhomOperatesSome() throws Exception {
    String token = viewer("[\"mine\",\"operated\"]", "[\"operated\"]");
    Map<String, Integer> expected =
        Map.of(
            "/jobs/hidden/hidden-daily/pause",
            404,
            "/jobs/mine/mine-daily/pause",
            403,
            "/jobs/mine/absent/pause",
            403,
            "/jobs/operated/absent/pause",
            404,
            "/jobs/absent/absent/pause",
            404,
            "/executions/" + hidden.running() + "/terminate",
            404,
            "/executions/12345/terminate",
            404,
            "/workers/worker-of-operated/undrain",
            200,
            "/workers/worker-of-mine/undrain?group=mine",
            403,
            "/workers/worker-of-hidden/undrain?group=hidden",
            404);
    for (Map.Entry<String, Integer> each : expected.entrySet()) {
      Answered answered = console.request("POST", "/api/v1" + each.getKey()).token(token).send();
      assertThat(answered.status())
          .as(each.getKey() + " " + answered.body())
          .isEqualTo(each.getValue());
    }
    Answered refused =
        console.request("POST", "/api/v1/jobs/mine/mine-daily/pause").token(token).send();
    assertThat(refused.as(Problem.class).detail())
        .isEqualTo(
            "the token operates the node groups operated: it may only look at the node group mine");
  }

  @Test
  void absentThingsAreAbsentForWhomOperatesSome() throws Exception {
    String token = viewer("null", "[\"mine\"]");
    for (String path : List.of("/executions/12345/terminate", "/dead/12345/replay")) {
      Answered answered = console.request("POST", "/api/v1" + path).token(token).send();
      assertThat(answered.status()).isEqualTo(404);
      assertThat(answered.body()).isEqualTo(console.ask("POST", "/api/v1" + path).send().body());
    }
  }

  @Test
  void sessionAndListSayWhatAViewerOperates() throws Exception {
    String token = viewer("null", "[\"mine\",\"mine-*\"]");
    SignedIn signedIn =
        console.request("GET", "/api/v1/session").token(token).send().as(SignedIn.class);
    assertThat(signedIn.role()).isEqualTo(Role.VIEW);
    assertThat(signedIn.nodeGroups()).isNull();
    assertThat(signedIn.operates()).containsExactly("mine", "mine-*");
    assertThat(console.ask("GET", "/api/v1/tokens?limit=500").send().as(TokenPage.class).items())
        .filteredOn(listed -> listed.name().equals(signedIn.name()))
        .singleElement()
        .satisfies(listed -> assertThat(listed.operates()).containsExactly("mine", "mine-*"));
    assertThat(token).startsWith("mrt_");
  }

  /** A change that names no node group is for those who operate all that they see. */
  @Test
  void changesThatNameNoNodeGroupAreNotForWhomOperatesSome() {
    NodeGroups mine = NodeGroups.of(List.of("mine"));
    Rights some = new Rights(Role.VIEW, NodeGroups.ALL, mine);
    Call call = callOf(some);
    for (Scope scope :
        List.of(Scope.none("of none"), Scope.inAnswer("of some"), Scope.all("of all"))) {
      assertThatExceptionOfType(ProblemException.class)
          .as(scope.reason())
          .isThrownBy(() -> scope.pass(call, Role.OPERATE))
          .satisfies(refused -> assertThat(refused.problem().status()).isEqualTo(403));
      assertThat(scope.pass(call, Role.VIEW)).isSameAs(call);
      assertThat(scope.pass(callOf(Rights.of(Role.OPERATE)), Role.OPERATE)).isNotNull();
    }
  }

  private static Call callOf(Rights rights) {
    return new Call(
        new Caller("bob", rights, "127.0.0.1"),
        Map.of(),
        null,
        new Credentials(null, null, null, null, false, "127.0.0.1", ""),
        name -> null,
        () -> false);
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "VIEW    | null     | []       | operates: 1 to 20 node groups can be named, not 0",
        "VIEW    | null     | [\"a b\"]  | operates: node group 'a b'",
        "VIEW    | null     | [\"*\"]    | operates: node group ''",
        "VIEW    | [\"a\"]    | [\"a*\"]   | operates: the token cannot operate a*",
        "VIEW    | [\"a b\"]  | [\"a\"]    | nodeGroups: node group 'a b'",
        "OPERATE | null     | [\"a\"]    | operates: only a token with the role VIEW",
        "ADMIN   | null     | [\"a\"]    | operates: only a token with the role VIEW"
      })
  void wrongFieldIsNamed(String role, String groups, String operates, String message)
      throws Exception {
    String wrong =
        "{\"name\":\"x\",\"role\":\"%s\",\"nodeGroups\":%s,\"operates\":%s}"
            .formatted(role, groups, operates);
    Answered refused = console.ask("POST", "/api/v1/tokens").json(wrong).send();
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.as(Problem.class).detail()).startsWith(message);
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
    assertThat(open.get(Scope.What.ANSWER))
        .containsExactlyInAnyOrder("listBulkChanges", "listGroups");
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
