package io.millrace.scripts.operate.file;

import io.millrace.console.api.TriggerSummary;
import io.millrace.console.api.fleet.GroupRoutes.GroupPage;
import io.millrace.console.api.fleet.GroupRoutes.GroupSummary;
import io.millrace.console.api.job.JobCondition;
import io.millrace.console.api.job.JobDetail;
import io.millrace.console.api.job.JobRoutes.JobPage;
import io.millrace.console.api.trigger.TriggerRoutes.TriggerPage;
import io.millrace.scripts.BadInputException;
import io.millrace.scripts.CommandFailedException;
import io.millrace.scripts.api.Answer;
import io.millrace.scripts.api.ApiPath;
import io.millrace.scripts.api.NotFoundException;
import io.millrace.scripts.option.Operator;
import io.millrace.scripts.output.Progress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the live jobs of a tracker. Used by one thread. */
final class LiveJobs {
  private static final int LARGEST_PAGE = 500;
  private static final Set<JobCondition> LIVE = Set.of(JobCondition.ACTIVE, JobCondition.PAUSED);

  private final Operator operator;

  LiveJobs(Operator operator) {
    this.operator = operator;
  }

  /**
   * A job in a list.
   *
   * @param owner the owner that declares it; null if it is not declared
   */
  record Listed(Key key, @Nullable String owner) {}

  /** Returns the tracker's time. Fails unless a tracker answers that lets this operator read. */
  Instant now() throws InterruptedException {
    Instant time = operator.api().get(ApiPath.of("jobs").with("limit", 1), JobPage.class).time();
    if (time == null) {
      throw new CommandFailedException("the answer does not say the tracker's time");
    }
    return time;
  }

  /** Returns the names of all node groups. */
  List<String> groups() throws InterruptedException {
    return pages(ApiPath.of("groups"), GroupPage.class, GroupPage::items, GroupPage::next).stream()
        .map(GroupSummary::name)
        .toList();
  }

  /**
   * Returns the live recurring jobs of a node group.
   *
   * @param prefix of the task ids; null for any
   * @throws BadInputException if there is no such node group
   */
  List<Listed> recurring(String group, @Nullable String prefix) throws InterruptedException {
    ApiPath path = ApiPath.of("jobs").with("group", group).with("prefix", prefix);
    try {
      return pages(path, JobPage.class, JobPage::items, JobPage::next).stream()
          .filter(job -> LIVE.contains(job.state()))
          .map(job -> new Listed(new Key(job.nodeGroup(), job.taskId()), job.owner()))
          .toList();
    } catch (NotFoundException e) {
      throw new BadInputException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Returns the one-shots of a node group that wait. */
  List<Key> oneShots(String group, @Nullable String prefix) throws InterruptedException {
    return pages(
            ApiPath.of("triggers", group), TriggerPage.class, TriggerPage::items, TriggerPage::next)
        .stream()
        .filter(trigger -> trigger.kind() == TriggerSummary.Kind.ONE_SHOT)
        .map(TriggerSummary::taskId)
        .filter(taskId -> prefix == null || taskId.startsWith(prefix))
        .map(taskId -> new Key(group, taskId))
        .toList();
  }

  private <P, R> List<R> pages(
      ApiPath path, Class<P> type, Function<P, List<R>> items, Function<P, @Nullable String> next)
      throws InterruptedException {
    List<R> all = new ArrayList<>();
    ApiPath list = path.with("limit", LARGEST_PAGE);
    String after = null;
    do {
      P page = operator.api().get(list.with("after", after), type).value();
      all.addAll(items.apply(page));
      after = next.apply(page);
    } while (after != null);
    return all;
  }

  /** Reads jobs by their keys; empty for those that are not there or were cancelled. */
  List<Optional<LiveJob>> read(List<Key> keys) throws InterruptedException {
    try (Progress progress = operator.output().progress("read", keys.size())) {
      return FewAtATime.send(keys, this::read, progress::to);
    }
  }

  private Optional<LiveJob> read(Key key) throws InterruptedException {
    Answer<JobDetail> answer;
    try {
      answer = operator.api().get(key.path(), JobDetail.class);
    } catch (NotFoundException e) {
      return Optional.empty();
    }
    String tag = answer.tag();
    if (tag == null) {
      throw new CommandFailedException("the answer about " + key + " has no ETag");
    }
    return Optional.of(answer.value())
        .filter(detail -> detail.state() != JobCondition.CANCELLED)
        .map(detail -> new LiveJob(detail, tag));
  }
}
