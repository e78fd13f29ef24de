package io.millrace.torture.attack;

import io.millrace.api.Job;
import io.millrace.jobclient.JobClient;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A worker and a client that submit a one-shot job every 250 ms and measure the time from submit to
 * end.
 */
final class HonestPair implements AutoCloseable {
  private static final long PERIOD_MILLIS = 250;
  private static final long PATIENCE_SECONDS = 10;
  private static final String GROUP = "honest";

  private final Map<String, CompletableFuture<Void>> running = new ConcurrentHashMap<>();
  private final List<Double> millis = new ArrayList<>();
  private final List<String> errors = new ArrayList<>();
  private final ScheduledExecutorService clock = Executors.newScheduledThreadPool(40);
  private final TaskTracker worker;
  private final JobClient client;
  private long number;

  HonestPair(Target target) {
    String address = Target.HOST + ":" + target.rpcPort();
    worker =
        TaskTracker.builder()
            .trackers(address)
            .token(Target.WORKER_TOKEN)
            .nodeGroup(GROUP)
            .slots(10)
            .runner(
                context -> {
                  CompletableFuture<Void> done = running.get(context.taskId());
                  if (done != null) {
                    done.complete(null);
                  }
                  return Result.success();
                })
            .build();
    client = JobClient.builder().trackers(address).token(Target.CLIENT_TOKEN).build();
  }

  void start() {
    worker.start();
    clock.scheduleAtFixedRate(this::submitOne, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  /**
   * Submits a job without waiting for the previous one, so that slow jobs are measured as often as
   * fast ones.
   */
  private void submitOne() {
    String taskId = "honest-" + number++;
    clock.execute(() -> time(taskId));
  }

  private void time(String taskId) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    running.put(taskId, done);
    long begin = System.nanoTime();
    try {
      boolean stored = client.trySubmit(Job.builder(GROUP, taskId).build()).isStored();
      if (!stored) {
        failed(taskId + " was not stored");
        return;
      }
      done.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      took((System.nanoTime() - begin) / 1e6);
    } catch (TimeoutException e) {
      failed(taskId + " did not run within " + PATIENCE_SECONDS + " s");
    } catch (ExecutionException | RuntimeException e) {
      failed(taskId + ": " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      running.remove(taskId);
    }
  }

  private synchronized void took(double time) {
    millis.add(time);
  }

  private synchronized void failed(String what) {
    errors.add(what);
  }

  /** Returns the measurements since the last call. */
  synchronized Measured take() {
    double[] sorted = millis.stream().mapToDouble(time -> time).sorted().toArray();
    Measured measured =
        new Measured(
            sorted.length, at(sorted, 0.5), at(sorted, 0.99), at(sorted, 1), List.copyOf(errors));
    millis.clear();
    errors.clear();
    return measured;
  }

  private static double at(double[] sorted, double share) {
    return sorted.length == 0
        ? Double.NaN
        : sorted[Math.min(sorted.length - 1, (int) Math.floor(share * sorted.length))];
  }

  /**
   * The number of ended jobs, the p50, the p99 and the maximum of their durations, and the errors.
   */
  record Measured(int count, double p50, double p99, double max, List<String> errors) {}

  @Override
  public void close() {
    clock.shutdownNow();
    client.close();
    worker.close();
  }
}
