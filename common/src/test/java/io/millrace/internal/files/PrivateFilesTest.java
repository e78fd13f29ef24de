package io.millrace.internal.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrivateFilesTest {
  @TempDir private Path folder;

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void aNewDirectoryIsItsOwnersAlone() throws Exception {
    Path directory = folder.resolve("above/data");

    PrivateFiles.createDirectory(directory);
    PrivateFiles.createDirectory(directory);

    assertThat(permissions(directory)).isEqualTo("rwx------");
    assertThat(PrivateFiles.permissionsForOthers(directory)).isEmpty();
  }

  @Test
  void aDirectoryThatOthersCanEnterStaysAsItIs() throws Exception {
    Path directory = Files.createDirectory(folder.resolve("shared"));
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));

    PrivateFiles.createDirectory(directory);

    assertThat(permissions(directory)).isEqualTo("rwxr-xr-x");
    assertThat(PrivateFiles.permissionsForOthers(directory)).contains("rwxr-xr-x");
  }

  @Test
  void aFileIsNoDirectory() throws Exception {
    Path file = Files.createFile(folder.resolve("file"));

    assertThatThrownBy(() -> PrivateFiles.createDirectory(file))
        .isInstanceOf(FileAlreadyExistsException.class);
  }

  @Test
  void aFileIsItsOwnersAloneAndKeepsItsContent() throws Exception {
    Path fresh = folder.resolve("fresh");
    Path old = Files.writeString(folder.resolve("old"), "content");
    Files.setPosixFilePermissions(old, PosixFilePermissions.fromString("rw-r--r--"));

    PrivateFiles.createFile(fresh);
    PrivateFiles.createFile(old);
    PrivateFiles.restrict(folder.resolve("missing"));

    assertThat(permissions(fresh)).isEqualTo("rw-------");
    assertThat(permissions(old)).isEqualTo("rw-------");
    assertThat(old).hasContent("content");
  }
}
