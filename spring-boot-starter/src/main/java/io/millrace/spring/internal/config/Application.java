package io.millrace.spring.internal.config;

import io.millrace.internal.model.NodeGroupName;
import io.millrace.spring.internal.config.MillraceProperties.Worker;
import io.millrace.tasktracker.RunnerThreads;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.env.Environment;

/** What Millrace takes over from the other properties of the application. */
public final class Application {
  /** The first Java version with virtual threads. */
  private static final int VIRTUAL_SINCE = 21;

  private static final Duration PHASE = Duration.ofSeconds(30);

  /** How long the worker may take to hand over its results after the last job has ended. */
  private static final Duration HAND_OVER = Duration.ofSeconds(10);

  private static final int MAX_GROUP_CHARS = 128;

  private final Environment environment;
  private final MillraceProperties properties;

  public Application(Environment environment, MillraceProperties properties) {
    this.environment = environment;
    this.properties = properties;
  }

  /** Returns the name of the application, or null. */
  public @Nullable String name() {
    String name = environment.getProperty("spring.application.name");
    return name == null || name.isBlank() ? null : name.strip();
  }

  /**
   * Returns the node group of the worker and of the declared jobs.
   *
   * @throws MillraceStartException if there is none, or if it is not valid
   */
  public String nodeGroup() {
    String group = properties.worker().nodeGroup();
    String given = group == null || group.isBlank() ? null : group;
    String name = given == null ? name() : given;
    if (name == null) {
      throw new MillraceStartException(
          "The node group is missing: the application has methods with @MillraceJob, but neither"
              + " millrace.worker.node-group nor spring.application.name is set.",
          "Set millrace.worker.node-group to the group of the jobs that this application runs, or"
              + " spring.application.name, which is used in its place.");
    }
    String fault = NodeGroupName.faultOf(name);
    if (fault != null) {
      throw new MillraceStartException(
          "%s is no name of a node group: %s."
              .formatted(
                  given == null ? "spring.application.name" : "millrace.worker.node-group", fault),
          "Set millrace.worker.node-group to a valid name.");
    }
    return name;
  }

  /** Returns the client group, or null if none is set and the application's name cannot be one. */
  @Nullable String clientGroup() {
    String group = properties.client().group();
    if (group != null) {
      return group.isBlank() ? null : group;
    }
    String name = name();
    boolean fits =
        name != null
            && name.length() <= MAX_GROUP_CHARS
            && name.chars().allMatch(c -> c > ' ' && c < 0x7f);
    return fits ? name : null;
  }

  /** Returns the readable name of this process, or null. */
  @Nullable String nodeName() {
    String name = properties.client().nodeName();
    return name == null || name.isBlank() ? name() : name;
  }

  /**
   * Returns the threads of jobs: those that are set, or virtual ones where Spring Boot uses them.
   *
   * @param feature the Java version
   */
  RunnerThreads threads(int feature) {
    RunnerThreads set = properties.worker().threads();
    if (set != null) {
      return set;
    }
    boolean virtual =
        feature >= VIRTUAL_SINCE
            && environment.getProperty("spring.threads.virtual.enabled", Boolean.class, false);
    return virtual ? RunnerThreads.VIRTUAL : RunnerThreads.PLATFORM;
  }

  /**
   * Returns how long jobs may continue when the application stops: by default so long that the
   * worker stops within the time that Spring Boot has for a phase.
   */
  Duration shutdownGrace() {
    Worker worker = properties.worker();
    if (worker.shutdownGrace() != null) {
      return worker.shutdownGrace();
    }
    String set = environment.getProperty("spring.lifecycle.timeout-per-shutdown-phase");
    Duration phase = set == null ? PHASE : DurationStyle.detectAndParse(set);
    Duration left = phase.minus(worker.interruptGrace()).minus(HAND_OVER);
    return left.isNegative() ? Duration.ZERO : left;
  }
}
