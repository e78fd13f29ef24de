package io.millrace.internal.outbox;

import io.millrace.api.OutboxConfig;
import io.millrace.api.OutboxException;
import io.millrace.internal.files.PrivateFiles;
import io.millrace.internal.time.Clock;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory of an outbox: the current file, the next file that will replace it, and damaged
 * files that were put aside. A file is replaced only when the next one is complete.
 *
 * <p>Not thread-safe.
 */
final class OutboxDirectory {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxDirectory.class);
  private static final String FILE = "outbox.mv";
  private static final String NEXT_FILE = "outbox.next";
  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSS'Z'").withZone(ZoneOffset.UTC);

  /** A file is rewritten when less than one part in this number is used. */
  private static final long USED_PART = 4;

  /** A file up to this size is never rewritten. */
  private static final long SMALL_BYTES = 64 << 10;

  /** A file up to this size is not rewritten while the outbox is open. */
  private static final long SMALL_BYTES_OPEN = 4 << 20;

  /** The content of an opened file. */
  record Content(OutboxFile file, List<Outbox.Entry> entries, Map<String, String> properties) {}

  private final OutboxConfig config;
  private final Clock clock;
  private final String scheme;
  private final Path file;
  private final Path nextFile;
  private final DirectoryLock lock;
  private final List<Path> setAside = new ArrayList<>();
  private long rewriteAbove = SMALL_BYTES_OPEN;

  /** Locks the directory until {@link #unlock}. */
  OutboxDirectory(OutboxConfig config, Clock clock, String scheme) {
    this.config = config;
    this.clock = clock;
    this.scheme = scheme;
    this.file = config.directory().resolve(FILE).toAbsolutePath();
    this.nextFile = file.resolveSibling(NEXT_FILE);
    this.lock = DirectoryLock.take(config.directory());
  }

  /**
   * Opens the file and reads all of it; puts a damaged one aside and opens a new one.
   *
   * @throws OutboxException if that fails
   */
  Content open() {
    try {
      finishReplacing();
      restrict();
      return read();
    } catch (DamagedOutboxException damage) {
      return replaceDamaged(damage);
    } catch (IOException failure) {
      throw failure("cannot be written", failure);
    }
  }

  /**
   * Makes the files private: one of an earlier version, or one put aside, may be readable by
   * others.
   */
  private void restrict() throws IOException {
    PrivateFiles.createFile(file);
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(config.directory(), "outbox.damaged-*")) {
      files.forEach(PrivateFiles::restrict);
    }
  }

  /**
   * Completes a replacement that the end of a process interrupted after the old file was put aside.
   */
  private void finishReplacing() throws IOException {
    if (Files.exists(file)) {
      Files.deleteIfExists(nextFile);
    } else if (Files.exists(nextFile)) {
      moveIntoPlace();
    }
  }

  /**
   * Opens the file and reads all of it.
   *
   * @throws DamagedOutboxException if any part of the file cannot be read
   */
  private Content read() {
    OutboxFile opened = null;
    try {
      opened = OutboxFile.open(scheme + file, config.sync());
      List<Outbox.Entry> entries = new ArrayList<>();
      opened.forEach(entries::add);
      return new Content(opened, entries, opened.properties());
    } catch (RuntimeException problem) {
      if (opened != null) {
        opened.abandon();
      }
      if (OutboxFile.isFailureOfTheDisk(problem)) {
        throw failure("cannot be read", problem);
      }
      throw problem instanceof DamagedOutboxException known
          ? known
          : new DamagedOutboxException(problem);
    }
  }

  private Content replaceDamaged(DamagedOutboxException damage) {
    List<Outbox.Entry> entries = new ArrayList<>();
    Map<String, String> properties = new HashMap<>();
    salvage(entries, properties);
    Path damaged = aside();
    try {
      writeNext(entries, properties);
      Files.move(file, damaged);
      moveIntoPlace();
    } catch (IOException failure) {
      failure.addSuppressed(damage);
      throw failure("is damaged and cannot be replaced", failure);
    }
    setAside.add(damaged);
    LOG.error(
        "outbox {}: the file is damaged and was moved to {}; {} readable entries are kept,"
            + " any others are lost: {}",
        config.directory().toAbsolutePath(),
        damaged.getFileName(),
        entries.size(),
        String.valueOf(damage.getMessage()));
    return reopen();
  }

  private Path aside() {
    String name = "outbox.damaged-" + STAMP.format(clock.now());
    Path aside = file.resolveSibling(name);
    for (int i = 1; Files.exists(aside); i++) {
      aside = file.resolveSibling(name + "-" + i);
    }
    return aside;
  }

  /** Reads entries and properties up to the first damage. */
  private void salvage(List<Outbox.Entry> entries, Map<String, String> properties) {
    try {
      OutboxFile damaged = OutboxFile.openToRead(scheme + file);
      try {
        properties.putAll(damaged.properties());
        damaged.forEach(entries::add);
      } finally {
        damaged.abandon();
      }
    } catch (RuntimeException expected) {
      LOG.debug("outbox {}: no further entries can be read", file, expected);
    }
  }

  /** Whether an open file should be rewritten because it is large and little used. */
  boolean isWasteful(OutboxFile opened, long bytesUsed) {
    return isWasteful(opened.size(), rewriteAbove, bytesUsed);
  }

  private static boolean isWasteful(long size, long above, long bytesUsed) {
    return size > above && bytesUsed < size / USED_PART;
  }

  /**
   * Replaces an open file by a new one with the same content, and closes the old one.
   *
   * @throws OutboxException if that fails; nothing is lost
   */
  OutboxFile rewrite(OutboxFile opened) {
    try {
      List<Outbox.Entry> entries = new ArrayList<>();
      opened.forEach(entries::add);
      writeNext(entries, opened.properties());
      opened.abandon();
      moveIntoPlace();
      OutboxFile rewritten = OutboxFile.open(scheme + file, config.sync());
      rewriteAbove = Math.max(SMALL_BYTES_OPEN, 2 * rewritten.size());
      return rewritten;
    } catch (IOException | RuntimeException failure) {
      throw failure("cannot be rewritten", failure);
    }
  }

  private void writeNext(List<Outbox.Entry> entries, Map<String, String> properties)
      throws IOException {
    Files.deleteIfExists(nextFile);
    PrivateFiles.createFile(nextFile);
    OutboxFile next = null;
    try {
      next = OutboxFile.open(scheme + nextFile, config.sync());
      next.add(entries);
      next.setProperties(properties);
      next.close();
    } catch (RuntimeException failure) {
      if (next != null) {
        next.abandon();
      }
      throw failure("cannot be written", failure);
    }
  }

  private void moveIntoPlace() throws IOException {
    Files.move(nextFile, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    if (config.sync()) {
      syncDirectory();
    }
  }

  /** Forces the directory to disk. Systems that cannot do this do not need it. */
  private void syncDirectory() {
    try (FileChannel channel = FileChannel.open(config.directory(), StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException unsupported) {
      LOG.debug("outbox {}: the directory could not be forced to disk", file, unsupported);
    }
  }

  private Content reopen() {
    try {
      return read();
    } catch (DamagedOutboxException twice) {
      throw failure("cannot be read", twice);
    }
  }

  /**
   * Closes a file, and rewrites it if much of it is unused. Never throws, because the file is
   * complete already.
   */
  void close(OutboxFile opened, long bytesUsed) {
    try {
      OutboxFile last =
          isWasteful(opened.size(), SMALL_BYTES, bytesUsed) ? rewrite(opened) : opened;
      last.close();
    } catch (RuntimeException failure) {
      LOG.warn("outbox {}: not closed properly; no stored entry is lost", file, failure);
      opened.abandon();
    }
  }

  /** Releases the directory. */
  void unlock() {
    try {
      lock.close();
    } catch (IOException failure) {
      LOG.warn("outbox {}: the directory stays locked until the process ends", file, failure);
    }
  }

  List<Path> setAside() {
    return List.copyOf(setAside);
  }

  private OutboxException failure(String what, Exception cause) {
    return cause instanceof OutboxException known
        ? known
        : new OutboxException(config.directory(), what + ": " + cause, cause);
  }
}
