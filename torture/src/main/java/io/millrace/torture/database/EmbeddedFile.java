package io.millrace.torture.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** The file of an embedded database, which only its tracker opens. */
public final class EmbeddedFile {
  private static final String ENDING = ".mv.db";

  private final Path directory;

  /**
   * @param directory the directory of the file
   */
  public EmbeddedFile(Path directory) {
    this.directory = directory.toAbsolutePath();
  }

  /** Returns the URL that the tracker uses. */
  public String url() {
    return urlOf("database");
  }

  private String urlOf(String name) {
    return "jdbc:h2:file:" + directory.resolve(name);
  }

  /**
   * Copies the current file, replacing an earlier copy of this name. The process that has the file
   * open must be frozen during the copy.
   *
   * @return the URL that reads the copy and never changes it
   */
  public String copy(String name) throws IOException {
    Path unused =
        Files.copy(
            directory.resolve("database" + ENDING),
            directory.resolve(name + ENDING),
            StandardCopyOption.REPLACE_EXISTING);
    return urlOf(name) + ";ACCESS_MODE_DATA=r;IFEXISTS=TRUE";
  }
}
