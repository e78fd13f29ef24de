package io.millrace.scripts.libraries;

import static org.assertj.core.api.Assumptions.assumeThat;

import io.millrace.api.Job;
import io.millrace.jobclient.JobClient;
import io.millrace.tasktracker.TaskTracker;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The jars that an application gets with the client and the worker. They are there from the phase
 * {@code package} on: {@code mvn test} has directories in their places, and leaves these tests out.
 */
final class LibraryJars {
  private LibraryJars() {}

  static Path common() {
    return packaged(Job.class);
  }

  /** The jars of Millrace: of what both share, the client and the worker. */
  static List<Path> ofMillrace() {
    return List.of(common(), packaged(JobClient.class), packaged(TaskTracker.class));
  }

  /** These, and what they depend on. */
  static List<Path> all() {
    return Stream.concat(
            ofMillrace().stream(), Stream.of(jarOf(Logger.class), jarOf(Nullable.class)))
        .toList();
  }

  /** Where a class comes from. */
  static Path jarOf(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Path packaged(Class<?> type) {
    Path jar = jarOf(type);
    assumeThat(Files.isRegularFile(jar)).as("%s is packaged", jar).isTrue();
    return jar;
  }
}
