package io.millrace.jobtracker.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.engine.EngineService;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ServicesTest {
  private final List<String> steps = new ArrayList<>();
  private final Services services = new Services();

  /** Stops when the test says so. */
  private final class Step implements EngineService {
    private final String name;
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();

    Step(String name) {
      this.name = name;
      services.add(this);
    }

    @Override
    public void start() {
      steps.add("start " + name);
    }

    @Override
    public CompletableFuture<Void> stop() {
      steps.add("stop " + name);
      return stopped;
    }

    @Override
    public CompletableFuture<Void> finish() {
      steps.add("finish " + name);
      return EngineService.super.finish();
    }
  }

  @Test
  void allStopAtOnceAndFinishWhenAllHaveStopped() {
    Step reporter = new Step("reporter");
    Step worker = new Step("worker");
    services.start();
    assertThat(steps).containsExactly("start reporter", "start worker");
    steps.clear();

    CompletableFuture<Void> end = services.stop();
    reporter.stopped.complete(null);
    assertThat(steps).containsExactly("stop reporter", "stop worker");
    steps.clear();

    worker.stopped.complete(null);
    assertThat(steps).containsExactly("finish reporter", "finish worker");
    assertThat(end).isCompleted();
  }

  @Test
  void serviceThatFailsToStopKeepsNoneFromFinishing() {
    Step broken = new Step("broken");
    Step reporter = new Step("reporter");

    CompletableFuture<Void> end = services.stop();
    broken.stopped.completeExceptionally(new IllegalStateException("broken"));
    reporter.stopped.complete(null);

    assertThat(steps).endsWith("finish broken", "finish reporter");
    assertThat(end).isCompletedExceptionally();
  }
}
