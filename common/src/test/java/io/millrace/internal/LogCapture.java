package io.millrace.internal;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.LoggerFactory;

/**
 * Keeps what one class or package logs, from INFO up, and keeps it off the console, until closed.
 */
public final class LogCapture extends AppenderBase<ILoggingEvent> implements AutoCloseable {
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final AtomicLong traces = new AtomicLong();
  private final Logger logger;

  public LogCapture(Class<?> source) {
    this(source.getName());
  }

  /** The same for all classes of a package. */
  public LogCapture(String source) {
    logger = (Logger) LoggerFactory.getLogger(source);
    setContext(logger.getLoggerContext());
    start();
    logger.setLevel(Level.INFO);
    logger.setAdditive(false);
    logger.addAppender(this);
  }

  /** Level and message of each event, oldest first. */
  public List<String> lines() {
    return lines;
  }

  /** How many of them came with a stack trace. */
  public long traces() {
    return traces.get();
  }

  @Override
  protected void append(ILoggingEvent event) {
    if (event.getThrowableProxy() != null) {
      traces.incrementAndGet();
    }
    lines.add(event.getLevel() + " " + event.getFormattedMessage());
  }

  @Override
  public void close() {
    logger.detachAppender(this);
    logger.setAdditive(true);
    logger.setLevel(null);
  }
}
