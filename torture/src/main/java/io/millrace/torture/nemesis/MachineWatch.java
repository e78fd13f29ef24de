package io.millrace.torture.nemesis;

import io.millrace.internal.time.Clock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Detects when the machine stalls: when a sleeping thread, or a small write forced to disk, takes
 * longer than leases tolerate. Records this time as a stall of the machine. Used by one thread.
 */
public final class MachineWatch implements AutoCloseable {
  private static final long PAUSE_MILLIS = 50;
  private static final int BYTES = 4_096;

  private final FileChannel file;
  private final Duration shortest;
  private final Clock clock;
  private final FaultLog log;
  private final Consumer<String> reporter;

  private MachineWatch(
      FileChannel file, Duration shortest, Clock clock, FaultLog log, Consumer<String> reporter) {
    this.file = file;
    this.shortest = shortest;
    this.clock = clock;
    this.log = log;
    this.reporter = reporter;
  }

  /**
   * Opens a watch that has not measured yet.
   *
   * @param path the file to write; on the disk of the databases
   * @param shortest shorter delays are ignored
   */
  public static MachineWatch open(
      Path path, Duration shortest, Clock clock, FaultLog log, Consumer<String> reporter) {
    try {
      FileChannel file =
          FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      return new MachineWatch(file, shortest, clock, log, reporter);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sleeps, writes, and records a stall if that took too long. */
  public void look() throws InterruptedException {
    long beganAt = clock.millis();
    long begun = clock.nanoTime();
    Thread.sleep(PAUSE_MILLIS);
    try {
      int unused = file.write(ByteBuffer.allocate(BYTES), 0);
      file.force(true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    long took = (clock.nanoTime() - begun) / 1_000_000 - PAUSE_MILLIS;
    if (took >= shortest.toMillis()) {
      log.add(
          new Fault(
              Fault.Kind.STALL,
              new Victim(Victim.Part.MACHINE, 1),
              beganAt,
              beganAt + PAUSE_MILLIS + took));
      reporter.accept("the machine was not running for " + took + " ms");
    }
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
