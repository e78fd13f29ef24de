package io.millrace.spring.internal.declare;

import io.millrace.api.Declaration;
import io.millrace.api.DeclareResult;
import io.millrace.api.DeclareResult.JobResult;
import io.millrace.jobclient.JobClient;
import io.millrace.jobclient.JobClientException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;

/**
 * Declares the recurring jobs of the application when it is ready, in a thread of its own, again
 * and again until a tracker answers.
 */
final class Declarer
    implements SmartInitializingSingleton,
        ApplicationListener<ApplicationReadyEvent>,
        DisposableBean {
  private static final Logger LOG = LoggerFactory.getLogger(Declarer.class);
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  private final JobClient client;
  private final Supplier<@Nullable Declaration> source;
  private final CountDownLatch closed = new CountDownLatch(1);
  private @Nullable Declaration declaration;
  private @Nullable Thread thread;

  /**
   * Creates a declarer.
   *
   * @param source makes the declaration when all beans exist; null if there is nothing to declare
   */
  Declarer(JobClient client, Supplier<@Nullable Declaration> source) {
    this.client = client;
    this.source = source;
  }

  /** Makes the declaration before the application starts, so that a wrong one stops the start. */
  @Override
  public synchronized void afterSingletonsInstantiated() {
    declaration = source.get();
  }

  @Override
  public synchronized void onApplicationEvent(ApplicationReadyEvent event) {
    Declaration declared = declaration;
    if (declared != null && thread == null && closed.getCount() > 0) {
      thread = new Thread(() -> declareUntilAnswered(declared), "millrace-declare");
      thread.setDaemon(true);
      thread.start();
    }
  }

  private void declareUntilAnswered(Declaration declared) {
    Duration pause = FIRST_PAUSE;
    while (!isClosedAfter(Duration.ZERO)) {
      try {
        log(declared, client.declare(declared));
        return;
      } catch (JobClientException unanswered) {
        LOG.warn(
            "the recurring jobs of {} are not declared yet, again in {}: {}",
            declared.owner(),
            pause,
            unanswered.getMessage());
      } catch (RuntimeException failure) {
        if (closed.getCount() > 0) {
          LOG.error("the recurring jobs of {} are not declared", declared.owner(), failure);
        }
        return;
      }
      if (isClosedAfter(pause)) {
        return;
      }
      pause = pause.multipliedBy(2);
      pause = pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
    }
  }

  private boolean isClosedAfter(Duration time) {
    try {
      return closed.await(time.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  private static void log(Declaration declared, DeclareResult result) {
    if (result.status() != DeclareResult.Status.DONE) {
      LOG.warn(
          "the recurring jobs of {} at revision {} are {}: {}",
          declared.owner(),
          declared.revision(),
          result.status(),
          result.message());
      return;
    }
    for (JobResult job : result.jobs()) {
      String name = job.nodeGroup() + "/" + job.taskId();
      switch (job.change()) {
        case UNCHANGED -> LOG.debug("recurring job {} is unchanged", name);
        case CONFLICT, REJECTED, UNKNOWN ->
            LOG.error("recurring job {} is not declared: {}", name, job.message());
        default ->
            LOG.info(
                "recurring job {}: {}{}",
                name,
                job.change(),
                job.message() == null ? "" : ", " + job.message());
      }
    }
  }

  @Override
  public synchronized void destroy() {
    closed.countDown();
    if (thread != null) {
      thread.interrupt();
    }
  }
}
