package io.millrace.scripts.operate.file;

import io.millrace.api.Job;
import io.millrace.api.Schedule;
import io.millrace.console.http.ProblemException;
import io.millrace.internal.codec.CodecException;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.codec.UnknownNames;
import io.millrace.internal.json.JsonReader;
import io.millrace.internal.model.job.JobRules;
import io.millrace.scripts.BadInputException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads files of jobs strictly: what it does not know is an error that names the file, the job and
 * the field. Not thread-safe.
 */
final class JobFiles {
  /** The number of the format; a change that older programs misread has a higher one. */
  static final int FORMAT = 1;

  /** Names the standard input. */
  static final Path STANDARD_INPUT = Path.of("-");

  private static final Set<String> FIELDS = Set.of("format", "jobs");
  private static final JsonCodec CODEC = new JsonCodec(UnknownNames.REFUSED);

  private final InputStream standardInput;
  private final Map<Key, FileJob> jobs = new TreeMap<>();
  private final Map<Key, String> sources = new TreeMap<>();

  JobFiles(InputStream standardInput) {
    this.standardInput = standardInput;
  }

  /** Returns the jobs of all files, in order of their keys. */
  List<FileJob> jobs() {
    return new ArrayList<>(jobs.values());
  }

  /**
   * Reads one more file.
   *
   * @throws BadInputException naming what is wrong and where
   */
  void read(Path file) {
    String name = file.equals(STANDARD_INPUT) ? "standard input" : file.toString();
    List<Json> elements;
    try {
      elements = elements(Json.parse(text(file)));
    } catch (BadInputException e) {
      throw new BadInputException(name + " " + e.getMessage(), e);
    }
    for (int i = 0; i < elements.size(); i++) {
      Json element = elements.get(i);
      try {
        add(name, element);
      } catch (BadInputException e) {
        throw new BadInputException(name + ": " + nameOf(element, i) + e.getMessage(), e);
      }
    }
  }

  private String text(Path file) {
    byte[] bytes;
    try {
      bytes = file.equals(STANDARD_INPUT) ? standardInput.readAllBytes() : Files.readAllBytes(file);
    } catch (IOException e) {
      throw new BadInputException("cannot be read: " + e.getClass().getSimpleName(), e);
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new BadInputException("is not UTF-8", e);
    }
  }

  private static List<Json> elements(Json file) {
    if (!(file instanceof Json.Fields fields)) {
      throw new BadInputException("is not an object with the fields format and jobs");
    }
    BadInputException.unless(
        fields.repeated().isEmpty(), "has a field twice: " + String.join(", ", fields.repeated()));
    for (String field : fields.values().keySet()) {
      BadInputException.unless(
          FIELDS.contains(field), "has a field '" + field + "'; it may have format and jobs");
    }
    Json format = fields.values().get("format");
    BadInputException.unless(format != null, "has no field format");
    BadInputException.unless(
        new Json.Scalar(String.valueOf(FORMAT)).equals(format),
        "has the format " + text(format) + "; this version knows the format " + FORMAT);
    Json jobs = fields.values().get("jobs");
    if (!(jobs instanceof Json.Elements elements)) {
      throw new BadInputException(jobs == null ? "has no field jobs" : "has jobs that are no list");
    }
    return elements.values();
  }

  private static String text(@Nullable Json value) {
    return value == null ? "" : value.text();
  }

  private void add(String source, Json element) {
    requireOnce(element);
    FileJob job = decoded(element);
    check(job);
    String before = sources.put(job.key(), source);
    BadInputException.unless(
        before == null, "stands twice" + (source.equals(before) ? "" : ": in " + before + " too"));
    jobs.put(job.key(), job);
  }

  private static void requireOnce(Json value) {
    value
        .firstRepeated()
        .ifPresent(
            path -> {
              throw new BadInputException("has the field " + path + " twice");
            });
  }

  private static FileJob decoded(Json element) {
    try {
      return CODEC.decodeText(element.text(), FileJob.class);
    } catch (CodecException e) {
      String message = String.valueOf(e.getMessage());
      throw new BadInputException(message.replaceFirst("^FileJob: ", ""), e);
    }
  }

  private static void check(FileJob wanted) {
    Job job;
    try {
      job = wanted.toJob();
    } catch (ProblemException e) {
      throw new BadInputException(
          String.valueOf(e.getMessage()).replace("job " + wanted.key() + " ", "schedule "), e);
    }
    if (job.schedule() instanceof Schedule.Once once) {
      BadInputException.unless(
          once.at() != null,
          "schedule.at is missing: a one-shot in a file needs its instant, so that it runs once");
    }
    JobRules.check(job)
        .ifPresent(
            fault -> {
              throw new BadInputException(
                  RefusedField.named(fault.reason().name() + ": " + fault.message()));
            });
  }

  /** The job, for a message: its key, or its place if it has none. */
  private static String nameOf(Json element, int index) {
    if (element instanceof Json.Fields fields) {
      String group = string(fields.values().get("nodeGroup"));
      String task = string(fields.values().get("taskId"));
      if (group != null && task != null) {
        return new Key(group, task) + ": ";
      }
    }
    return "job " + (index + 1) + " of the list: ";
  }

  private static @Nullable String string(@Nullable Json value) {
    if (value instanceof Json.Scalar scalar) {
      JsonReader reader = JsonReader.of(scalar.text());
      return reader.isString() ? reader.readString() : null;
    }
    return null;
  }
}
