package io.millrace.jobtracker.store.jdbc.h2;

import io.millrace.internal.files.PrivateFiles;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of an H2 database in this process: the database, its trace, its locks and other files
 * beside it. They contain parameters, results, token hashes and the secret by which trackers
 * authenticate one another, so only their owner may access them. Thread-safe.
 */
public final class DatabaseFiles {
  private static final Logger LOG = LoggerFactory.getLogger(DatabaseFiles.class);
  private static final Pattern FILE_URL =
      Pattern.compile("jdbc:h2:(?:(?:file|async|nio):)?(?<path>(?:~|[A-Za-z]:)?[^:;]+)(?:;.*)?");

  private final Path directory;
  private final String name;

  private DatabaseFiles(Path directory, String name) {
    this.directory = directory;
    this.name = name;
  }

  /** Returns the files of the database at this URL; empty if this process writes none. */
  public static Optional<DatabaseFiles> of(String url) {
    Matcher matcher = FILE_URL.matcher(url);
    String upper = url.toUpperCase(Locale.ROOT);
    if (!matcher.matches() || upper.contains(";AUTO_SERVER=")) {
      return Optional.empty();
    }
    try {
      return at(Path.of(matcher.group("path").replaceFirst("^~", userHome())));
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns the files of the database with this H2 path: the path of its files without a suffix.
   */
  private static Optional<DatabaseFiles> at(Path path) {
    Path database = path.toAbsolutePath().normalize();
    Path directory = database.getParent();
    Path last = database.getFileName();
    return directory == null || last == null
        ? Optional.empty()
        : Optional.of(new DatabaseFiles(directory, last.toString()));
  }

  private static String userHome() {
    return Matcher.quoteReplacement(System.getProperty("user.home", "~"));
  }

  /**
   * Creates the directory if missing. Errors are only logged, because the database reports them.
   */
  public void prepare() {
    try {
      PrivateFiles.createDirectory(directory);
    } catch (IOException e) {
      LOG.debug("store: the directory {} cannot be created", directory, e);
    }
  }

  /** Removes the permissions of other users from all existing files. */
  public void restrict() {
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(directory, file -> isOfTheDatabase(file))) {
      files.forEach(PrivateFiles::restrict);
    } catch (IOException e) {
      LOG.warn("store: cannot restrict the permissions in {}: {}", directory, e.toString());
    }
  }

  private boolean isOfTheDatabase(Path file) {
    Path last = file.getFileName();
    return last != null && last.toString().startsWith(name + ".") && Files.isRegularFile(file);
  }
}
