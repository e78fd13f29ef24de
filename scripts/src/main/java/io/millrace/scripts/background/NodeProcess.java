package io.millrace.scripts.background;

import io.millrace.internal.files.PrivateFiles;
import io.millrace.scripts.CommandFailedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * The pid file of a node. A process is accepted as the node only if its command line carries the
 * node's mark, because the system may have reused the process id.
 */
public final class NodeProcess {
  private final NodeFiles files;

  public NodeProcess(NodeFiles files) {
    this.files = files;
  }

  /** Returns the node's process, or empty if no process of this run directory is alive. */
  public Optional<ProcessHandle> find() {
    return recordedPid().flatMap(ProcessHandle::of).filter(this::isNode);
  }

  /** Returns whether a pid file exists, even if the process is gone. */
  public boolean isRecorded() {
    return Files.exists(files.pid());
  }

  /**
   * Writes the pid file.
   *
   * @throws CommandFailedException if the file exists: another process is starting the same node
   */
  void record(long pid) {
    try {
      PrivateFiles.createNewFile(files.pid());
      Files.writeString(files.pid(), pid + "\n");
    } catch (FileAlreadyExistsException e) {
      throw new CommandFailedException("another start command has just written " + files.pid(), e);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + files.pid(), e);
    }
  }

  /** Removes the files that only a running node needs. Keeps the log. */
  public void forget() {
    try {
      Files.deleteIfExists(files.address());
      Files.deleteIfExists(files.pid());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot remove " + files.pid(), e);
    }
  }

  private boolean isNode(ProcessHandle process) {
    return process.isAlive()
        && process
            .info()
            .arguments()
            .map(arguments -> Arrays.asList(arguments).contains(files.mark()))
            .orElse(false);
  }

  private Optional<Long> recordedPid() {
    try {
      return Optional.of(Long.valueOf(read(files.pid())));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (NumberFormatException e) {
      throw new CommandFailedException(files.pid() + " does not contain a process id", e);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + files.pid(), e);
    }
  }

  private static String read(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.UTF_8).strip();
  }
}
