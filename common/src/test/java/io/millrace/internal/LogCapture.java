package io.millrace.internal;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** Keeps what one class logs, from INFO up, and keeps it off the console, until closed. */
public final class LogCapture extends AppenderBase<ILoggingEvent> implements AutoCloseable {
  private final List<String> lines = new CopyOnWriteArrayList<>();
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

  @Override
  protected void append(ILoggingEvent event) {
    lines.add(event.getLevel() + " " + event.getFormattedMessage());
  }

  @Override
  public void close() {
    logger.detachAppender(this);
    logger.setAdditive(true);
    logger.setLevel(null);
  }
}
