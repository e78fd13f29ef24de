package io.millrace.jobtracker.status;

import io.millrace.api.JobFilter;
import io.millrace.api.JobPage;
import io.millrace.api.JobStatus;
import io.millrace.api.JobStatus.State;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.rpc.RpcException;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.JobStore;
import io.millrace.jobtracker.store.OneShotStore;
import io.millrace.jobtracker.store.OneShotStore.Part;
import io.millrace.jobtracker.store.Stores;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Lists the live jobs of a node group by pages: recurring jobs, waiting one-shots, then running
 * ones. That is the order in which a one-shot moves, so one that is claimed meanwhile is listed at
 * least once. A cursor names the section and the last task id of a page. Stateless.
 */
final class JobLister {
  /** The most rows that one section of a page looks at. */
  private static final int MAX_ROWS = 10_000;

  private final Stores stores;

  JobLister(Stores stores) {
    this.stores = stores;
  }

  private enum Section {
    JOBS,
    WAITING,
    RUNNING,
    SPLIT
  }

  /** A place in the list: in a section, behind a task id. */
  private record Place(Section section, String above) {

    static Place of(@Nullable String cursor) {
      if (cursor == null) {
        return new Place(Section.JOBS, "");
      }
      for (Section section : Section.values()) {
        String prefix = section.name() + ":";
        if (cursor.startsWith(prefix)) {
          return new Place(section, cursor.substring(prefix.length()));
        }
      }
      throw badRequest("'" + cursor + "' is not a cursor of a page");
    }

    String cursor() {
      return section + ":" + above;
    }
  }

  /**
   * Returns one page.
   *
   * @throws RpcException BAD_REQUEST if a value of the filter is bad
   */
  JobPage list(JobFilter filter) {
    Place place = Place.of(filter.cursor());
    check(filter);
    if (stores.nodeGroups().find(filter.nodeGroup()).isEmpty()) {
      return new JobPage(List.of(), null);
    }
    List<JobPage.Item> items = new ArrayList<>();
    for (Section section : Section.values()) {
      if (section.compareTo(place.section()) < 0 || !isAsked(section, filter.state())) {
        continue;
      }
      if (items.size() == filter.pageSize()) {
        return new JobPage(items, new Place(section, "").cursor());
      }
      String above = section == place.section() ? place.above() : "";
      Part<JobPage.Item> part = read(section, filter, above, filter.pageSize() - items.size());
      items.addAll(part.rows());
      if (part.next() != null) {
        return new JobPage(items, new Place(section, part.next()).cursor());
      }
    }
    return new JobPage(items, null);
  }

  private static void check(JobFilter filter) {
    if (filter.pageSize() < 1 || filter.pageSize() > JobFilter.MAX_PAGE_SIZE) {
      throw badRequest(
          "page size " + filter.pageSize() + " is not 1 to " + JobFilter.MAX_PAGE_SIZE);
    }
    State state = filter.state();
    if (state == State.ENDED || state == State.NOT_KNOWN || state == State.UNKNOWN) {
      throw badRequest("jobs in the state " + state + " are not listed");
    }
  }

  private static RpcException badRequest(String message) {
    return new RpcException(ErrorCode.BAD_REQUEST, message);
  }

  private static boolean isAsked(Section section, @Nullable State state) {
    return state == null
        || switch (section) {
          case JOBS -> state != State.WAITING && state != State.RUNNING;
          case WAITING -> state == State.WAITING;
          case RUNNING, SPLIT -> state == State.RUNNING;
        };
  }

  private Part<JobPage.Item> read(Section section, JobFilter filter, String above, int limit) {
    OneShotStore.Range range =
        new OneShotStore.Range(filter.nodeGroup(), filter.taskIdPrefix(), above, limit, MAX_ROWS);
    return switch (section) {
      case JOBS -> jobs(filter, above, limit);
      case WAITING -> ofHandler(filter, stores.oneShots().readWaiting(range), JobLister::waiting);
      case RUNNING ->
          ofHandler(filter, stores.oneShots().readExecuting(range), row -> running(row, null));
      case SPLIT -> split(filter, stores.oneShots().readSplit(range));
    };
  }

  private Part<JobPage.Item> split(JobFilter filter, Part<Execution> found) {
    Map<Long, Batch> batches = SplitRuns.of(stores, found.rows());
    return ofHandler(filter, found, row -> running(row, batches.get(row.id())));
  }

  /** Without a state, leaves out the jobs that have ended: their definitions stay for ever. */
  private Part<JobPage.Item> jobs(JobFilter filter, String above, int limit) {
    JobStore.FoundJobs found =
        stores
            .jobs()
            .search(
                new JobStore.Search(
                    filter.nodeGroup(),
                    filter.taskIdPrefix(),
                    null,
                    stateOf(filter.state()),
                    filter.handler()),
                new JobStore.Place(filter.nodeGroup(), above),
                limit,
                MAX_ROWS);
    List<JobPage.Item> items =
        found.jobs().stream()
            .map(JobStore.FoundJob::job)
            .filter(job -> filter.state() != null || job.state().isLive())
            .map(JobLister::recurring)
            .toList();
    JobStore.Place next = found.next();
    return new Part<>(items, next == null ? null : next.taskId());
  }

  private static @Nullable JobState stateOf(@Nullable State state) {
    return state == null
        ? null
        : Map.of(
                State.ACTIVE, JobState.ACTIVE,
                State.PAUSED, JobState.PAUSED,
                State.FINISHED, JobState.FINISHED,
                State.CANCELLED, JobState.CANCELLED)
            .get(state);
  }

  private static <T> Part<JobPage.Item> ofHandler(
      JobFilter filter, Part<T> found, Function<T, JobPage.Item> item) {
    List<JobPage.Item> items =
        found.rows().stream()
            .map(item)
            .filter(
                one -> filter.handler() == null || Objects.equals(filter.handler(), one.handler()))
            .toList();
    return new Part<>(items, found.next());
  }

  private static JobPage.Item recurring(JobDefinition job) {
    return new JobPage.Item(
        job.taskId(),
        job.spec().submissionId(),
        StatusAnswers.stateOf(job.state()),
        job.spec().handler(),
        job.priority(),
        job.schedule(),
        null);
  }

  private static JobPage.Item waiting(WaitingTrigger row) {
    TriggerSpec spec = row.spec();
    return new JobPage.Item(
        row.key().taskId(),
        spec == null ? "" : spec.submissionId(),
        State.WAITING,
        spec == null ? null : spec.handler(),
        row.priority(),
        null,
        row.isHeld() ? null : StatusAnswers.at(row.dueAt()));
  }

  private static JobPage.Item running(Execution row, @Nullable Batch batch) {
    JobStatus.Execution execution = StatusAnswers.execution(row, batch);
    return new JobPage.Item(
        row.key().taskId(),
        row.spec().submissionId(),
        State.RUNNING,
        row.spec().handler(),
        row.priority(),
        null,
        null,
        execution);
  }
}
