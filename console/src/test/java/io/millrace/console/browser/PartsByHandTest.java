package io.millrace.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.RetryPolicy;
import io.millrace.tasktracker.JobContext;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Runs that were split into parts, looked at and stopped by clicking. */
@InBrowser
class PartsByHandTest {
  private static final AtomicInteger GROUPS = new AtomicInteger();

  /** One for each test: what a test leaves under way is no work for the next. */
  private final String group = "archive-" + GROUPS.incrementAndGet();

  private final CountDownLatch release = new CountDownLatch(1);
  private volatile boolean hasSpace;
  private TaskTracker worker;

  @BeforeEach
  void startWorker(Operator operator, ConsoleScene scene) {
    worker =
        TaskTracker.builder()
            .trackers(scene.console().tracker().address())
            .nodeGroup(group)
            .id(group + "-worker")
            .slots(3)
            .shutdownGrace(Duration.ofMillis(100))
            .runner(this::run)
            .build();
    worker.start();
    operator.visit(scene.url());
    operator.signIn(scene.alice());
  }

  @AfterEach
  void stopWorker() {
    release.countDown();
    worker.close();
  }

  /**
   * The second part fails, the third is dead until there is space, the last ones run until they are
   * released.
   */
  private Result run(JobContext context) throws InterruptedException {
    int index = context.shard().index();
    if (index == 1) {
      return Result.failed("the index is damaged");
    }
    if (index == 2 && !hasSpace) {
      throw new IllegalStateException("no space left on the disk");
    }
    if (index > 4) {
      context.progress(40, 100, "files <packed>");
      release.await();
    }
    return Result.success();
  }

  private String split(ConsoleScene scene, String task) {
    scene.client().submit(Job.builder(group, task).shards(12).retry(RetryPolicy.NONE).build());
    return scene.executionOf(group, task);
  }

  /** A run of which no part is held yet would end at once if it were cancelled. */
  private static void seesHeldParts(Operator operator, String batch) {
    operator.open("/batches/" + batch);
    operator.sees("files <packed>");
  }

  @Test
  void partsAreShownAsABarAndAList(Operator operator, ConsoleScene scene) {
    split(scene, "pack:2025");
    operator.open("/jobs/" + group + "/pack:2025");
    operator.sees("5 of 12 parts have ended");

    operator.open("/running?group=" + group);
    operator.seesIn("td", "5 of 12 parts have ended");
    operator.sees("part 6 of 12");
    operator.clickInRow("5 of 12 parts have ended", "Details");

    operator.sees("Parts of pack:2025");
    operator.sees("under way");
    operator.sees("files <packed>");
    operator.sees("the index is damaged");
    assertThat(operator.texts(".legend li")).contains("succeeded 3", "failed 1", "dead 1");
    operator.browser().picture(Path.of("target", "screenshots", "parts.png"), Picture.WHOLE);
    operator.set("theme", "dark");
    operator.set("language", "zh");
    operator.settle();
    assertThat(operator.html()).doesNotContain("⟦");
    operator.browser().picture(Path.of("target", "screenshots", "parts-zh.png"), Picture.WHOLE);
    assertThat(Accessibility.faintWords(operator)).isEmpty();
    operator.set("theme", "light");
    operator.set("language", "en");
    operator.settle();
    assertThat(Accessibility.barriers(operator)).isEmpty();

    operator.click("dead");
    operator.seesNoMore("the index is damaged");
    operator.sees("no space left on the disk");
    operator.choose("State", "failed");
    operator.click("Search");
    operator.sees("the index is damaged");
    operator.seesNoMore("no space left on the disk");
    release.countDown();
    operator.sees("12 of 12 parts have ended");
    operator.sees("Ran for");
  }

  @Test
  void runIsTerminatedFromItsPage(Operator operator, ConsoleScene scene) {
    String id = split(scene, "pack:2026");
    operator.open("/executions/" + id);
    operator.sees("5 of 12 parts have ended");
    operator.sees("live");
    operator.click("Parts");
    operator.sees("Parts of pack:2026");

    operator.click("Terminate");
    operator.isAsked("Terminate this run of " + group + "/pack:2026?");
    operator.click("Terminate");

    operator.sees("The run of " + group + "/pack:2026 was told to stop.");
    operator.sees("12 of 12 parts have ended");
    operator.open("/executions/" + id);
    operator.click("Parts");
    operator.sees("Parts of pack:2026");
    operator.open("/history?group=" + group);
    operator.sees("#" + id);
  }

  /** Its last parts do not look whether they are to stop. */
  @Test
  void runThatIsBeingStoppedIsTerminatedInTheListAndOnItsPage(
      Operator operator, ConsoleScene scene) {
    String first = split(scene, "pack:2027");
    seesHeldParts(operator, first);
    scene.client().cancel(group, "pack:2027");
    operator.open("/batches?group=" + group);
    operator.clickInRow("pack:2027", "Terminate");
    operator.isAsked("Terminate this run of " + group + "/pack:2027?");
    operator.click("Terminate");
    operator.sees("The run of " + group + "/pack:2027 was told to stop.");
    operator.open("/batches/" + first);
    operator.sees("12 of 12 parts have ended");

    String second = split(scene, "pack:2029");
    seesHeldParts(operator, second);
    scene.client().cancel(group, "pack:2029");
    operator.sees("stopping");
    operator.click("Terminate");
    operator.isAsked("Terminate this run of " + group + "/pack:2029?");
    operator.click("Terminate");

    operator.sees("12 of 12 parts have ended");
  }

  @Test
  void deadPartIsReplayedInItsPlace(Operator operator, ConsoleScene scene) {
    String id = split(scene, "pack:2028");
    operator.open("/batches/" + id);
    operator.sees("no space left on the disk");
    hasSpace = true;

    operator.click("Replay part 3");
    operator.isAsked("Replay the dead trigger of " + group + "/pack:2028?");
    operator.click("Replay");

    operator.sees(group + "/pack:2028 was replayed");
    operator.settle();
    assertThat(operator.canClick("Replay part 3")).isFalse();
    release.countDown();
    operator.sees("13 of 13 parts have ended");
    assertThat(operator.texts(".legend li")).contains("succeeded 11", "failed 1");
  }

  @Test
  void deadRunIsReplayedWithoutWhatSucceeded(Operator operator, ConsoleScene scene) {
    release.countDown();
    String id = split(scene, "pack:2029");
    operator.open("/batches/" + id);
    operator.sees("12 of 12 parts have ended");
    hasSpace = true;

    operator.click("Run it again");
    operator.click("Replay without what succeeded");
    operator.isAsked("Replay " + group + "/pack:2029 without what succeeded?");
    operator.click("Replay without what succeeded");

    operator.sees(group + "/pack:2029 was replayed");
    operator.sees("Replayed by operator/alice");
  }

  @Test
  void viewerMayOnlyLook(Operator operator, ConsoleScene scene) {
    String id = split(scene, "pack:2027");
    operator.visit(scene.url());
    operator.signIn(scene.viewer());

    operator.open("/batches/" + id);
    operator.sees("Parts of pack:2027");

    assertThat(operator.canClick("Terminate")).isFalse();
    assertThat(operator.canClick("Cancel the job")).isFalse();
  }

  @Test
  void unknownBatchIsSaid(Operator operator, ConsoleScene scene) {
    operator.open("/batches/17");

    operator.sees("there is no batch 17");
  }
}
