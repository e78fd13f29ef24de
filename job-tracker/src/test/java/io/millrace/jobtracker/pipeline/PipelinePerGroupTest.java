package io.millrace.jobtracker.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class PipelinePerGroupTest {
  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private final List<String> written = new ArrayList<>();
  private final WritePipeline.PerGroup<String, String> pipelines =
      new WritePipeline.PerGroup<>(
          "test",
          tasks::add,
          WritePipelineTest.ofCount(10, 10),
          (group, values) -> {
            written.addAll(values);
            return values;
          });

  @Test
  void namesThatAreSaidOnceAreForgotten() {
    for (int i = 0; i < 20_000; i++) {
      List<CompletableFuture<String>> answers = pipelines.writeAll("group-" + i, List.of("v" + i));
      runTasks();
      assertThat(answers.get(0)).isCompletedWithValue("v" + i);
    }

    assertThat(pipelines.size()).isLessThanOrEqualTo(WritePipeline.PerGroup.MAX_IDLE);
    assertThat(written).hasSize(20_000);
  }

  @Test
  void whatWaitsIsKept() {
    int busy = WritePipeline.PerGroup.MAX_IDLE + 100;
    List<CompletableFuture<String>> answers = new ArrayList<>();
    for (int i = 0; i < busy; i++) {
      answers.addAll(pipelines.writeAll("group-" + i, List.of("v" + i)));
    }
    assertThat(pipelines.size()).isEqualTo(busy);

    runTasks();

    assertThat(answers).allMatch(CompletableFuture::isDone);
    CompletableFuture<String> next = pipelines.writeAll("one more", List.of("w")).get(0);
    runTasks();
    assertThat(next).isCompletedWithValue("w");
    assertThat(pipelines.size()).isEqualTo(1);
  }

  private void runTasks() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }
}
