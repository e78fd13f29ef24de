package io.millrace.common.files;

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
 * Directories and files that their owner alone can read: those with tokens, parameters, results or
 * logs. Where a file system knows no owners and permissions, files are made as they are there, and
 * nothing fails for that. Thread-safe.
 */
public final class PrivateFiles {
  private static final Logger LOG = LoggerFactory.getLogger(PrivateFiles.class);
  private static final Set<PosixFilePermission> OF_A_DIRECTORY =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> OF_A_FILE =
      PosixFilePermissions.fromString("rw-------");

  /** Each once, however often it is opened. */
  private static final Set<Path> WARNED_OF = ConcurrentHashMap.newKeySet();

  private PrivateFiles() {}

  private static boolean knowsPermissions(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  /**
   * Makes a directory, the owner's alone, if it is not there. Those above it that are missing are
   * made as usual. One that others can enter is left as it is, because there may be a reason for
   * it, and that is logged.
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
                      "{} can be entered by others than its owner ({}); what Millrace writes there"
                          + " is readable by its owner alone, but make it 0700",
                      absolute,
                      permissions));
    }
  }

  /** The permissions of a file or directory, if they allow others than its owner anything. */
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
   * Makes an empty file, the owner's alone, if it is not there, and takes the permissions of others
   * away if it is.
   */
  public static void createFile(Path file) throws IOException {
    try {
      createNewFile(file);
    } catch (FileAlreadyExistsException e) {
      restrict(file);
    }
  }

  /**
   * Makes an empty file, the owner's alone.
   *
   * @throws FileAlreadyExistsException if it is there
   */
  public static void createNewFile(Path file) throws IOException {
    Path unused =
        knowsPermissions(file)
            ? Files.createFile(file, PosixFilePermissions.asFileAttribute(OF_A_FILE))
            : Files.createFile(file);
  }

  /** Takes the permissions of others away; harmless if the file is not there. */
  public static void restrict(Path file) {
    try {
      if (knowsPermissions(file) && permissionsForOthers(file).isPresent()) {
        Path unused = Files.setPosixFilePermissions(file, OF_A_FILE);
      }
    } catch (NoSuchFileException gone) {
      LOG.debug("{} is not there any more", file, gone);
    } catch (IOException | UnsupportedOperationException e) {
      LOG.warn(
          "{} can be read by others, and its permissions cannot be changed: {}",
          file,
          e.toString());
    }
  }
}
