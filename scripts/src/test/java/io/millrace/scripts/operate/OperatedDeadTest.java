package io.millrace.scripts.operate;

import static io.millrace.scripts.operate.token.TokenCommandsTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.console.api.dead.DeadRoutes.DeadDetail;
import io.millrace.console.api.dead.DeadRoutes.DeadPage;
import io.millrace.console.api.dead.DeadTriggerSummary;
import io.millrace.console.api.dead.ReplayRoutes.ReplayManyAnswer;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.scripts.CommandRun;
import io.millrace.scripts.ExitCode;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Dead triggers, and what an operator does about them, with a real tracker and a real worker. */
@Timeout(120)
class OperatedDeadTest {
  @TempDir private Path directory;

  private final JsonCodec codec = new JsonCodec();
  private final LinkedBlockingQueue<Map<String, String>> done = new LinkedBlockingQueue<>();
  private OperatedTracker operated;
  private final AtomicInteger sick = new AtomicInteger();
  private TaskTracker worker;

  @BeforeEach
  void start() throws IOException {
    operated = OperatedTracker.in(directory);
    worker =
        TaskTracker.builder()
            .trackers(operated.tracker().address())
            .nodeGroup("orders")
            .slots(4)
            .runner(
                context -> {
                  if (context.params().containsKey("ill") && context.shard().index() == 1) {
                    int ran = sick.incrementAndGet();
                    if (ran == 1) {
                      throw new IllegalStateException("the second shard is ill");
                    }
                  }
                  if (context.params().containsKey("bad")) {
                    context.step("charge", () -> {});
                    throw new IllegalStateException("the printer is out of ink");
                  }
                  done.add(context.params());
                  return Result.success();
                })
            .build();
    worker.start();
  }

  @AfterEach
  void stop() {
    worker.close();
    operated.close();
  }

  @Test
  void deadTriggerIsListedShownAndReplayedWithOtherParameters() throws InterruptedException {
    String id = dies("close:42").get(0).id();

    String[] lines = operated.done("dead", "--state", "open", "--node-group", "orders").split("\n");
    assertThat(lines[0]).matches("ID +DIED +GROUP +TASK ID +PLANNED FOR +ATTEMPTS +STATE +CAUSE");
    assertThat(lines[1]).matches(id + " +\\S+Z +orders +close:42 +\\S+Z +1 +OPEN +.*");
    assertThat(operated.done("dead", id))
        .containsPattern("(?m)^job +orders/close:42$")
        .containsPattern("(?m)^parameters +bad=1$")
        .containsPattern(id + " +1 +DEAD .*out of ink")
        .containsPattern("(?m)^STEP +STORED +FAULT\ncharge +\\S+Z +-$");
    DeadDetail detail = codec.decodeText(operated.done("dead", id, "--json"), DeadDetail.class);
    assertThat(detail.trigger().taskId()).isEqualTo("close:42");

    assertThat(operated.done("replay", id, "--param", "day=monday"))
        .containsPattern("^REPLAYED " + id + " as \\d+: .*\nreplayed 1\n$");
    assertThat(done.take()).isEqualTo(Map.of("day", "monday"));
    CommandRun again = operated.run("replay", id);
    assertThat(again.out()).startsWith("REPLAYED_BEFORE " + id);
    assertThat(again.error()).isEqualTo("millrace replay: replayed 0, not replayed 1\n");
    assertThat(again.exitCode()).isEqualTo(ExitCode.FAILED);
    assertRefused(operated.run("discard", id), ExitCode.FAILED, id, "already been replayed");
  }

  @Test
  void manyAreReplayedByWhatTheyHaveInCommon() throws InterruptedException {
    List<DeadTriggerSummary> dead = dies("close:1", "close:2", "open:1");

    assertThat(operated.done("replay", "--prefix", "close:", "--param", "a=b"))
        .isEqualTo("replayed 2\n");
    assertThat(List.of(done.take(), done.take())).containsOnly(Map.of("a", "b"));
    CommandRun none = operated.run("replay", "--prefix", "close:", "--param", "a=b");
    assertThat(none.out()).isEqualTo("replayed 0\n");

    String json = operated.done("replay", "--node-group", "orders", "--param", "c=d", "--json");
    assertThat(codec.decodeText(json, ReplayManyAnswer.class).items())
        .extracting(item -> item.id())
        .containsExactly(idOf(dead, "open:1"));
    assertThat(done.take()).isEqualTo(Map.of("c", "d"));
  }

  @Test
  void bulkReplayIsAwaitedAndAFailureIfItIsRefused() throws InterruptedException {
    List<DeadTriggerSummary> unused = dies("close:1", "close:2");
    String tooLarge = "a=" + "x".repeat(2 << 20);

    CommandRun refused =
        operated.run(
            "bulk", "replay", "--node-group", "orders", "--until-done", "--param", tooLarge);

    assertThat(refused.out()).containsPattern("(?m)^state +FAILED$");
    assertThat(refused.error()).contains("ended as FAILED: PARAMS_TOO_LARGE");
    assertThat(refused.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(
            operated.done(
                "bulk", "replay", "--node-group", "orders", "--until-done", "--param", "a=b"))
        .containsPattern("(?m)^done +2$");
    assertThat(List.of(done.take(), done.take())).containsOnly(Map.of("a", "b"));
  }

  @Test
  void runThatWasSplitIsReplayedWithoutWhatSucceeded() throws InterruptedException {
    assertThat(
            CommandRun.of(
                    "submit",
                    "orders",
                    "close:split",
                    "--shards",
                    "3",
                    "--retry",
                    "0",
                    "--param",
                    "ill=1",
                    "--trackers",
                    operated.tracker().address())
                .out())
        .startsWith("ACCEPTED");
    DeadTriggerSummary run =
        operated
            .awaited(
                json -> codec.decodeText(json, DeadPage.class).items(),
                dead -> !dead.isEmpty(),
                "dead",
                "--prefix",
                "close:split",
                "--json")
            .get(0);
    assertThat(run.parts()).isEqualTo(3);
    done.clear();

    assertRefused(
        operated.run("replay", run.id(), "--keep-succeeded", "--param", "a=b"),
        ExitCode.BAD_INPUT,
        "--param cannot be combined with --keep-succeeded");
    assertThat(operated.done("replay", run.id(), "--keep-succeeded"))
        .containsPattern(
            "^REPLAYED " + run.id() + " as \\d+: .* without the parts that succeeded\n");

    assertThat(done.take()).isEqualTo(Map.of("ill", "1"));
    DeadDetail replayed =
        operated.awaited(
            json -> codec.decodeText(json, DeadDetail.class),
            detail -> detail.replayStatus() != null,
            "dead",
            run.id(),
            "--json");
    assertThat(replayed.replayStatus()).isEqualTo("SUCCEEDED");
    assertThat(done).as("the others did not run again").isEmpty();
    String plain = idOf(dies("plain", "plain:2"), "plain");
    assertThat(operated.run("replay", plain, "--keep-succeeded").out())
        .contains("was not split into parts");
  }

  @Test
  void whatIsDiscardedIsNoLongerOpen() {
    String id = dies("close:42").get(0).id();

    assertThat(operated.done("discard", id)).isEqualTo("DISCARDED " + id + ": orders/close:42\n");
    assertThat(operated.run("dead", "--state", "open").error()).isEqualTo("no entries\n");
    assertThat(operated.done("dead", "--state", "discarded")).contains(id);
    assertThat(operated.done("dead", id)).containsPattern("state +DISCARDED by operator/admin at ");
  }

  @Test
  void wrongInputIsSaid() {
    assertRefused(operated.run("replay"), ExitCode.BAD_INPUT, "give either ids", "--prefix");
    assertRefused(
        operated.run("replay", "7", "--prefix", "x"), ExitCode.BAD_INPUT, "give either ids");
    assertRefused(operated.run("dead", "x"), ExitCode.BAD_INPUT, "'x'");
    assertRefused(operated.run("dead", "42"), ExitCode.FAILED, "no dead trigger 42");
    assertRefused(operated.run("discard", "42"), ExitCode.FAILED, "no dead trigger 42");
    assertRefused(operated.run("discard"), ExitCode.BAD_INPUT, "ID");
    assertRefused(operated.run("dead", "--state", "lost"), ExitCode.BAD_INPUT, "'lost'");
    CommandRun nobody = operated.run("replay", "42");
    assertThat(nobody.out()).startsWith("NOT_FOUND 42: ");
    assertThat(nobody.exitCode()).isEqualTo(ExitCode.FAILED);
  }

  /** Submits jobs that die, and returns them once all have. */
  private List<DeadTriggerSummary> dies(String... taskIds) {
    for (String taskId : taskIds) {
      CommandRun submitted =
          CommandRun.of(
              "submit",
              "orders",
              taskId,
              "--retry",
              "0",
              "--param",
              "bad=1",
              "--trackers",
              operated.tracker().address());
      assertThat(submitted.out()).startsWith("ACCEPTED");
    }
    return operated.awaited(
        json -> codec.decodeText(json, DeadPage.class).items(),
        dead -> dead.size() >= taskIds.length,
        "dead",
        "--json");
  }

  private static String idOf(List<DeadTriggerSummary> dead, String taskId) {
    return dead.stream().filter(row -> row.taskId().equals(taskId)).findFirst().orElseThrow().id();
  }
}
