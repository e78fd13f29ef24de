package io.millrace.scripts.output;

import java.io.PrintWriter;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * How far long work has come, as a bar on a terminal's error stream; on anything else, nothing. The
 * bar is wiped away at the end. Used by one thread.
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
   * Begins.
   *
   * @param work what is done, in a word or two
   * @param total how much there is to do; negative if that is not known
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

  /** So much is done by now. */
  public void to(long done) {
    if (bar != null) {
      bar.stepTo(done);
    }
  }

  /** So much there is to do. */
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
