package io.millrace.scripts.output;

import java.io.PrintWriter;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * The progress of long work, as a bar on the error stream if that is a terminal, otherwise nothing.
 * The bar is removed at the end. Used by one thread.
 */
public final class Progress implements AutoCloseable {
  private static final int COLUMNS = 79;
  private static final int REFRESH_MILLIS = 250;

  private final PrintWriter error;
  private final @Nullable ProgressBar bar;

  private Progress(PrintWriter error, @Nullable ProgressBar bar) {
    this.error = error;
    this.bar = bar;
  }

  /**
   * Shows the bar.
   *
   * @param work a word or two for the work
   * @param total the amount of work; negative if unknown
   */
  static Progress begin(Terminal terminal, PrintWriter error, String work, long total) {
    return new Progress(error, terminal.error() ? bar(error, work, total) : null);
  }

  private static ProgressBar bar(PrintWriter error, String work, long total) {
    return new ProgressBarBuilder()
        .setTaskName(work)
        .setInitialMax(total)
        .setStyle(ProgressBarStyle.ASCII)
        .setUpdateIntervalMillis(REFRESH_MILLIS)
        .setConsumer(
            new DelegatingProgressBarConsumer(
                line -> {
                  error.print("\r" + line);
                  error.flush();
                },
                COLUMNS))
        .build();
  }

  /** Sets the amount of completed work. */
  public void to(long done) {
    if (bar != null) {
      bar.stepTo(done);
    }
  }

  /** Sets the total amount of work. */
  public void of(long total) {
    if (bar != null) {
      bar.maxHint(total);
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
      error.print("\r" + " ".repeat(COLUMNS) + "\r");
      error.flush();
    }
  }
}
