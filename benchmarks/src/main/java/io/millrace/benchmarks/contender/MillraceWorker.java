package io.millrace.benchmarks.contender;

import io.millrace.tasktracker.JobContext;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Millrace's workers, one for each node group, which are given the addresses of trackers, separated
 * by commas.
 */
final class MillraceWorker implements Workers {
  private final List<TaskTracker> workers = new ArrayList<>();
  private @Nullable Place place;

  @Override
  public String open(Place given) {
    place = given;
    return "";
  }

  @Override
  public void startWorkers() {
    Place at = Objects.requireNonNull(place, "is not open");
    for (int group = 0; group < at.groups(); group++) {
      TaskTracker worker =
          TaskTracker.builder()
              .trackers(at.url().split(","))
              .nodeGroup(MillraceTables.group(group))
              .slots(at.slots())
              .runner(MillraceWorker::run)
              .build();
      workers.add(worker);
      worker.start();
    }
  }

  private static Result run(JobContext context) {
    String payload = context.param(MillraceClient.PAYLOAD);
    if (payload == null) {
      Runs.ran(context.plannedFor().toEpochMilli());
    } else {
      Runs.ran(payload);
    }
    return Result.success();
  }

  @Override
  public void stopWorkers() {
    for (TaskTracker worker : workers) {
      CompletableFuture<Void> unused = worker.closeAsync();
    }
    workers.forEach(TaskTracker::close);
    workers.clear();
  }

  @Override
  public void close() {
    stopWorkers();
    place = null;
  }
}
