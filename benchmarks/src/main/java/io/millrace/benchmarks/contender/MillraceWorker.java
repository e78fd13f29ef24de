package io.millrace.benchmarks.contender;

import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Millrace's worker. */
final class MillraceWorker implements Workers {
  private @Nullable Place place;
  private @Nullable TaskTracker worker;

  @Override
  public String open(Place given) {
    place = given;
    return "";
  }

  @Override
  public void startWorkers() {
    Place at = Objects.requireNonNull(place, "is not open");
    TaskTracker started =
        TaskTracker.builder()
            .trackers(at.url())
            .nodeGroup(MillraceTables.GROUP)
            .slots(at.slots())
            .runner(
                context -> {
                  String payload = context.param(MillraceClient.PAYLOAD);
                  if (payload == null) {
                    Runs.ran(context.plannedFor().toEpochMilli());
                  } else {
                    Runs.ran(payload);
                  }
                  return Result.success();
                })
            .build();
    worker = started;
    started.start();
  }

  @Override
  public void stopWorkers() {
    if (worker != null) {
      worker.close();
    }
    worker = null;
  }

  @Override
  public void close() {
    stopWorkers();
    place = null;
  }
}
