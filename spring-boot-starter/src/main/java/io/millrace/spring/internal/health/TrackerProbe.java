package io.millrace.spring.internal.health;

import io.millrace.api.TrackerHealth;
import io.millrace.jobclient.JobClient;
import io.millrace.tasktracker.TaskTracker;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Asks a tracker for its health, and waits for the answer only as long as it may. Stateless, so
 * thread-safe.
 */
final class TrackerProbe {
  private static final Duration LONGEST = Duration.ofSeconds(1);

  private final JobClient client;
  private final ConfigurableListableBeanFactory beans;
  private final Duration patience;

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
    try {
      TrackerHealth health = client.health(patience);
      details.put("tracker", health.address());
      details.put("nodeGroups", health.nodeGroups());
      if (health.trouble() != null) {
        details.put("trouble", health.trouble());
      }
      return new Finding(health.isGood(), details, null);
    } catch (RuntimeException unanswered) {
      return new Finding(false, details, unanswered);
    }
  }
}
