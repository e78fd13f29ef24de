package io.millrace.internal.files;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates directories and files that only their owner can read: those with tokens, parameters,
 * results or logs. On a file system without POSIX permissions, files get the default permissions
 * and nothing fails. Thread-safe.
 */
public final class PrivateFiles {
  private static final Logger LOG = LoggerFactory.getLogger(PrivateFiles.class);
  private static final Set<PosixFilePermission> OF_A_DIRECTORY =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> OF_A_FILE =
      PosixFilePermissions.fromString("rw-------");

  /** Directories already warned about; each is logged only once. */
  private static final Set<Path> WARNED_OF = ConcurrentHashMap.newKeySet();

  private PrivateFiles() {}

  private static boolean knowsPermissions(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  /**
   * Creates a directory that only the owner can enter, if it does not exist. Missing parent
   * directories get the default permissions. If the directory exists and others can enter it, its
   * permissions stay, because there may be a reason for them, and a warning is logged.
   */
  public static void createDirectory(Path directory) throws IOException {
    Path absolute = directory.toAbsolutePath();
    Path parent = absolute.getParent();
    if (parent != null) {
      Path unused = Files.createDirectories(parent);
    }
    try {
      Path unused =
          knowsPermissions(absolute)
              ? Files.createDirectory(
                  absolute, PosixFilePermissions.asFileAttribute(OF_A_DIRECTORY))
              : Files.createDirectory(absolute);
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(absolute)) {
        throw e;
      }
      permissionsForOthers(absolute)
          .filter(permissions -> WARNED_OF.add(absolute))
          .ifPresent(
              permissions ->
                  LOG.warn(
                      "{} can be accessed by users other than its owner ({}); the files that"
                          + " Millrace writes there are readable by their owner only, but set its"
                          + " permissions to 0700",
                      absolute,
                      permissions));
    }
  }

  /** The permissions of a file or directory, if they allow anything to anyone but its owner. */
  public static Optional<String> permissionsForOthers(Path path) throws IOException {
    if (!knowsPermissions(path)) {
      return Optional.empty();
    }
    Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
    permissions.addAll(Files.getPosixFilePermissions(path));
    String shown = PosixFilePermissions.toString(permissions);
    return permissions.removeAll(OF_A_DIRECTORY) && permissions.isEmpty()
        ? Optional.empty()
        : Optional.of(shown);
  }

  /**
   * Creates an empty file that only the owner can read; if the file exists, removes the permissions
   * of others.
   */
  public static void createFile(Path file) throws IOException {
    try {
      createNewFile(file);
    } catch (FileAlreadyExistsException e) {
      restrict(file);
    }
  }

  /**
   * Creates an empty file that only the owner can read.
   *
   * @throws FileAlreadyExistsException if the file exists
   */
  public static void createNewFile(Path file) throws IOException {
    Path unused =
        knowsPermissions(file)
            ? Files.createFile(file, PosixFilePermissions.asFileAttribute(OF_A_FILE))
            : Files.createFile(file);
  }

  /** Removes the permissions of others; does nothing if the file does not exist. */
  public static void restrict(Path file) {
    try {
      if (knowsPermissions(file) && permissionsForOthers(file).isPresent()) {
        Path unused = Files.setPosixFilePermissions(file, OF_A_FILE);
      }
    } catch (NoSuchFileException gone) {
      LOG.debug("{} no longer exists", file, gone);
    } catch (IOException | UnsupportedOperationException e) {
      LOG.warn(
          "{} can be read by other users, and its permissions cannot be changed: {}",
          file,
          e.toString());
    }
  }
}
