package io.millrace.internal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;

/**
 * What the MariaDB servers of all modules' tests have in common: the programs, 400 MB unpacked from
 * Maven, and the files of an empty database, which take seconds to make. Whoever comes first makes
 * both; the others copy the second.
 */
public final class MariaDbFiles {
  private static final Path SHARED = Path.of("../target/mariadb").toAbsolutePath().normalize();
  private static final Path EMPTY =
      SHARED.resolve("empty-" + System.getProperty("millrace.test.mariadb"));

  /** Where the programs are, or will be. */
  public static final Path PROGRAMS = SHARED.resolve("base");

  private MariaDbFiles() {}

  /** Unpacks the programs and makes an empty database, unless there is one already. */
  public interface Installer<T> {
    T install() throws IOException;
  }

  /**
   * Installs a server, one at a time on this machine.
   *
   * @param data the directory of its data, in which the installer leaves a database alone
   */
  public static <T> T install(Path data, Installer<T> installer) throws IOException {
    Files.createDirectories(SHARED);
    try (FileChannel channel =
            FileChannel.open(
                SHARED.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock alone = channel.lock()) {
      if (Files.exists(EMPTY)) {
        copy(EMPTY, data);
        return installer.install();
      }
      T installed = installer.install();
      Path unfinished = Files.createTempDirectory(SHARED, "empty");
      copy(data, unfinished);
      Files.move(unfinished, EMPTY, StandardCopyOption.ATOMIC_MOVE);
      return installed;
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      files.forEach(file -> copyOne(file, to.resolve(from.relativize(file))));
    }
  }

  private static void copyOne(Path file, Path copy) {
    try {
      if (Files.isDirectory(file)) {
        Files.createDirectories(copy);
      } else {
        Files.copy(file, copy);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
