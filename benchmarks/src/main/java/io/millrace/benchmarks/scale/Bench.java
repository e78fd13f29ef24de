package io.millrace.benchmarks.scale;

import io.millrace.benchmarks.child.ContenderFailedException;
import io.millrace.benchmarks.contender.Place;
import io.millrace.benchmarks.database.DatabaseKind;
import io.millrace.benchmarks.database.Databases;
import io.millrace.benchmarks.database.Databases.Fresh;
import io.millrace.benchmarks.measure.WallClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What all measurements on a database use.
 *
 * @param directory where the database keeps its files
 * @param logs the directory for the error output of the processes
 * @param figures receives what is measured
 * @param progress receives lines for people who wait
 */
record Bench(
    ScalePlan plan,
    DatabaseKind kind,
    Databases databases,
    Path directory,
    Path logs,
    Figures figures,
    Consumer<String> progress) {
  static final double MEBIBYTE = 1 << 20;
  static final double MICROS = 1_000_000;

  /** The longest wait for something that takes seconds if all goes well. */
  static final Duration PATIENCE = Duration.ofMinutes(10);

  private static final long LOOK_MILLIS = 5;

  /** Returns the place of a tracker over a database. */
  Place place(Fresh database) {
    return Place.of(database.url(), database.user(), ScalePlan.SLOTS);
  }

  Children children() {
    return new Children(plan.jvmOptions(), logs);
  }

  /** Records a value and shows it. */
  void add(Measurement measurement, String what, String unit, long size, double value) {
    figures.add(measurement, kind, what, unit, size, value);
    say("%s %,d: %s: %,.3f %s", measurement.title(), size, what, value, unit);
  }

  /** Shows a line to people who wait. */
  void say(String format, Object... values) {
    progress.accept(kind.word() + " " + String.format(Locale.ROOT, format, values));
  }

  /**
   * Waits until a state is reached.
   *
   * @param otherwise what there is instead, for the message of the failure
   * @throws ContenderFailedException if the state is not reached within {@link #PATIENCE}
   */
  static void await(BooleanSupplier reached, Supplier<String> otherwise)
      throws InterruptedException {
    long begin = WallClock.nanoTime();
    while (!reached.getAsBoolean()) {
      if (WallClock.nanoTime() - begin > PATIENCE.toNanos()) {
        throw new ContenderFailedException(
            "%s after %d s".formatted(otherwise.get(), PATIENCE.toSeconds()), null);
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
  }

  /** Returns the seconds since a value of {@link WallClock#nanoTime}. */
  static double secondsSince(long begin) {
    return (WallClock.nanoTime() - begin) / (double) TimeUnit.SECONDS.toNanos(1);
  }
}
