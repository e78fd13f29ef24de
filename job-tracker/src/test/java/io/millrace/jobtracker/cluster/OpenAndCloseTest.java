package io.millrace.jobtracker.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.millrace.api.Job;
import io.millrace.jobclient.JobClient;
import io.millrace.jobtracker.JobTracker;
import io.millrace.jobtracker.config.JobTrackerConfig;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** Clients and workers that are closed while they connect leave no trouble in the log. */
@Timeout(120)
class OpenAndCloseTest {
  private static final int TIMES = 20;

  private final Troubles troubles = new Troubles();

  @BeforeEach
  void listen() {
    troubles.begin();
  }

  @AfterEach
  void stopListening() {
    troubles.end();
  }

  @Test
  void clientThatIsClosedAtOnceLogsNoTrouble() {
    try (TestDatabase database = TestDatabase.h2();
        JobTracker tracker = JobTracker.create(JobTrackerConfig.local(0, database.config()))) {
      tracker.start();
      for (int i = 0; i < TIMES; i++) {
        client(tracker).close();
      }
      for (int i = 0; i < TIMES; i++) {
        assertThatThrownBy(() -> submitAJobThatIsNone(tracker))
            .isInstanceOf(NullPointerException.class);
      }
      assertThat(troubles.lines).isEmpty();
    }
  }

  @Test
  void workerThatIsClosedAtOnceLogsNoTrouble() {
    try (TestDatabase database = TestDatabase.h2();
        JobTracker tracker = JobTracker.create(JobTrackerConfig.local(0, database.config()))) {
      tracker.start();
      for (int i = 0; i < TIMES; i++) {
        try (TaskTracker worker =
            TaskTracker.builder()
                .trackers(tracker.address())
                .nodeGroup("orders")
                .runner(context -> Result.success())
                .build()) {
          worker.start();
        }
      }
      assertThat(troubles.lines).isEmpty();
    }
  }

  private static JobClient client(JobTracker tracker) {
    return JobClient.builder().trackers(tracker.address()).build();
  }

  private static void submitAJobThatIsNone(JobTracker tracker) {
    try (JobClient client = client(tracker)) {
      client.submit(Job.builder("orders", null).build());
    }
  }

  /** Keeps whatever is logged with a stack trace, or by the network's library. */
  private static final class Troubles extends AppenderBase<ILoggingEvent> {
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);

    void begin() {
      setContext(root.getLoggerContext());
      start();
      root.addAppender(this);
    }

    void end() {
      root.detachAppender(this);
    }

    @Override
    protected void append(ILoggingEvent event) {
      boolean isOfTheNetwork =
          event.getLoggerName().startsWith("io.netty")
              && event.getLevel().isGreaterOrEqual(Level.WARN);
      if (event.getThrowableProxy() != null || isOfTheNetwork) {
        lines.add(event.getLoggerName() + ": " + event.getFormattedMessage());
      }
    }
  }
}
