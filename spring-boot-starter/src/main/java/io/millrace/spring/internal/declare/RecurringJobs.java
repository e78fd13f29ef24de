package io.millrace.spring.internal.declare;

import io.millrace.api.Job;
import io.millrace.api.PartFailurePolicy;
import io.millrace.api.WorkerLossPolicy;
import io.millrace.spring.Recurring;
import io.millrace.spring.internal.config.MillraceStartException;
import io.millrace.spring.internal.handler.HandlerMethod;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.springframework.boot.convert.DurationStyle;

/** Makes jobs of the methods with {@link Recurring}. */
final class RecurringJobs {
  private final String nodeGroup;
  private final UnaryOperator<String> placeholders;

  RecurringJobs(String nodeGroup, UnaryOperator<String> placeholders) {
    this.nodeGroup = nodeGroup;
    this.placeholders = placeholders;
  }

  /**
   * Returns a job for each method with the annotation.
   *
   * @throws MillraceStartException naming the method whose annotation is wrong
   */
  List<Job> of(Collection<HandlerMethod> methods) {
    List<Job> jobs = new ArrayList<>();
    Map<String, HandlerMethod> byId = new HashMap<>();
    for (HandlerMethod method : methods) {
      Recurring recurring = method.recurring();
      if (recurring == null) {
        continue;
      }
      Job job = job(method, recurring);
      HandlerMethod other = byId.putIfAbsent(job.taskId(), method);
      if (other != null) {
        throw wrong(method, "has the same id '%s' as %s".formatted(job.taskId(), other.where()));
      }
      jobs.add(job);
    }
    return jobs;
  }

  private Job job(HandlerMethod method, Recurring recurring) {
    if (!method.requiredParameters().isEmpty()) {
      throw wrong(
          method, "runs without parameters, but the method needs " + method.requiredParameters());
    }
    String id = text(recurring.id());
    Job.Builder job =
        Job.builder(nodeGroup, id.isEmpty() ? method.handler() : id).handler(method.handler());
    schedule(job, method, recurring);
    if (recurring.priority() < 0 || recurring.priority() > 255) {
      throw wrong(method, "has a priority that is not between 0 and 255");
    }
    job.priority(recurring.priority());
    if (recurring.retries() >= 0) {
      job.retry(recurring.retries());
    }
    job.on(
        Arrays.stream(recurring.on()).map(this::text).filter(label -> !label.isEmpty()).toList());
    String stickTo = text(recurring.stickTo());
    if (!stickTo.isEmpty()) {
      job.stickTo(stickTo);
    }
    String timeout = text(recurring.timeout());
    if (!timeout.isEmpty()) {
      job.timeout(duration(method, "timeout", timeout));
    }
    parts(job, method, recurring);
    return job.build();
  }

  private void parts(Job.Builder job, HandlerMethod method, Recurring recurring) {
    if (recurring.shards() < 0 || recurring.shards() > Job.MAX_SHARDS) {
      throw wrong(method, "has shards that are not between 1 and " + Job.MAX_SHARDS);
    }
    if (recurring.shards() > 0) {
      job.shards(recurring.shards());
    }
    broadcast(job, method, recurring);
    String reduce = text(recurring.reduce());
    if (!reduce.isEmpty()) {
      job.reduce(reduce);
    }
    if (recurring.onPartFailure() != PartFailurePolicy.FINISH) {
      job.onPartFailure(recurring.onPartFailure());
    }
    String within = text(recurring.within());
    if (!within.isEmpty()) {
      job.within(duration(method, "within", within));
    }
  }

  private void broadcast(Job.Builder job, HandlerMethod method, Recurring recurring) {
    if (recurring.broadcast()) {
      if (recurring.shards() > 0 || !text(recurring.stickTo()).isEmpty()) {
        throw wrong(method, "has broadcast together with shards or stickTo");
      }
      job.broadcast();
    }
    if (recurring.onWorkerLost() != WorkerLossPolicy.SKIP) {
      if (!recurring.broadcast()) {
        throw wrong(method, "has onWorkerLost without broadcast");
      }
      job.onWorkerLost(recurring.onWorkerLost());
    }
  }

  private void schedule(Job.Builder job, HandlerMethod method, Recurring recurring) {
    String cron = text(recurring.cron());
    String zone = text(recurring.zone());
    String every = text(recurring.every());
    String delay = text(recurring.fixedDelay());
    if (Stream.of(cron, every, delay).filter(text -> !text.isEmpty()).count() != 1) {
      throw wrong(method, "needs exactly one of cron, every and fixedDelay");
    }
    if (!zone.isEmpty() && cron.isEmpty()) {
      throw wrong(method, "has a zone, which is allowed only with cron");
    }
    if (!every.isEmpty()) {
      job.every(duration(method, "every", every));
    } else if (!delay.isEmpty()) {
      job.fixedDelay(duration(method, "fixedDelay", delay));
    } else if (zone.isEmpty()) {
      job.cron(cron);
    } else {
      job.cron(cron, zone(method, zone));
    }
  }

  private static ZoneId zone(HandlerMethod method, String zone) {
    try {
      return ZoneId.of(zone);
    } catch (DateTimeException unknown) {
      throw wrong(method, "has the unknown zone '%s'".formatted(zone));
    }
  }

  private static Duration duration(HandlerMethod method, String attribute, String text) {
    try {
      Duration duration = DurationStyle.detectAndParse(text);
      if (!duration.isNegative() && !duration.isZero()) {
        return duration;
      }
    } catch (IllegalArgumentException unreadable) {
      throw wrong(method, "has %s = '%s', which is no duration".formatted(attribute, text));
    }
    throw wrong(method, "has %s = '%s', which is not positive".formatted(attribute, text));
  }

  private String text(String text) {
    return placeholders.apply(text).strip();
  }

  private static MillraceStartException wrong(HandlerMethod method, String what) {
    return new MillraceStartException(
        "@Recurring on " + method.where() + " " + what + ".",
        "Correct the annotation: one of cron (with zone if needed), every or fixedDelay; durations"
            + " such as 30s or PT30S; zones such as Europe/Berlin.");
  }
}
