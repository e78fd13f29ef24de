package io.millrace.spring.internal.health;

import io.millrace.api.TrackerHealth;
import io.millrace.jobclient.JobClient;
import io.millrace.tasktracker.TaskTracker;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Asks a tracker for its health, and waits for the answer only as long as it may. A question that
 * is not answered yet is not asked again beside it. Thread-safe.
 */
final class TrackerProbe implements DisposableBean {
  private static final Duration LONGEST = Duration.ofSeconds(1);

  private final JobClient client;
  private final ConfigurableListableBeanFactory beans;
  private final Duration patience;
  private final ExecutorService asking =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "millrace-health");
            thread.setDaemon(true);
            return thread;
          });
  private @Nullable CompletableFuture<TrackerHealth> question;

  TrackerProbe(JobClient client, ConfigurableListableBeanFactory beans, Duration patience) {
    this.client = client;
    this.beans = beans;
    this.patience = patience.compareTo(LONGEST) > 0 ? LONGEST : patience;
  }

  /**
   * What was found.
   *
   * @param isGood whether a tracker answered that it works
   * @param details for people
   * @param failure why there is no answer, or null
   */
  record Finding(boolean isGood, Map<String, Object> details, @Nullable Throwable failure) {}

  Finding look() {
    Map<String, Object> details = new LinkedHashMap<>();
    int saved = client.saved();
    if (saved > 0) {
      details.put("outboxRequests", saved);
    }
    for (String name : beans.getBeanNamesForType(TaskTracker.class, true, false)) {
      // A worker that nothing has asked for is not created for this.
      if (beans.containsSingleton(name)) {
        details.put("stuckInvocations", beans.getBean(name, TaskTracker.class).stuckInvocations());
      }
    }
    CompletableFuture<TrackerHealth> asked = ask();
    try {
      TrackerHealth health = asked.get(patience.toMillis(), TimeUnit.MILLISECONDS);
      details.put("tracker", health.address());
      details.put("nodeGroups", health.nodeGroups());
      if (health.trouble() != null) {
        details.put("trouble", health.trouble());
      }
      return new Finding(health.isGood(), details, null);
    } catch (TimeoutException late) {
      details.put("reason", "no tracker answered within " + patience.toMillis() + " ms");
      return new Finding(false, details, null);
    } catch (ExecutionException failed) {
      return new Finding(false, details, failed.getCause());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return new Finding(false, details, interrupted);
    }
  }

  private synchronized CompletableFuture<TrackerHealth> ask() {
    CompletableFuture<TrackerHealth> current = question;
    if (current == null || current.isDone()) {
      current = CompletableFuture.supplyAsync(client::health, asking);
      question = current;
    }
    return current;
  }

  @Override
  public void destroy() {
    asking.shutdownNow();
  }
}
