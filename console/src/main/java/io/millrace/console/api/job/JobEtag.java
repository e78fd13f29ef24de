package io.millrace.console.api.job;

import io.millrace.console.http.Problem;
import io.millrace.internal.codec.JsonCodec;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The entity tag of a job: its id, its version, and a short digest of each field of its definition.
 * The version alone decides whether an edit is stale. The digests show which fields have changed
 * since, although the store does not keep old values. Immutable.
 *
 * @param version 0 for a one-shot, whose id changes with each edit instead
 */
record JobEtag(long jobId, int version, List<String> digests, Map<String, String> fields) {
  private static final Pattern TEXT =
      Pattern.compile("(?:W/)?\"([0-9]{1,19})\\.([0-9]{1,9})\\.([A-Za-z0-9_-]{0,200})\"");
  private static final int DIGEST_BYTES = 3;
  private static final Pattern DIGEST = Pattern.compile(".{4}");
  private static final int SHOWN_CHARS = 1_000;
  private static final String ANY = "*";
  private static final String NONE = "";
  private static final JsonCodec CODEC = new JsonCodec();

  static JobEtag of(JobDetail job) {
    JobSettings settings = job.settings();
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("schedule", CODEC.encodeText(job.schedule()));
    fields.put("params", CODEC.encodeText(new TreeMap<>(settings.params())));
    fields.put("priority", String.valueOf(settings.priority()));
    fields.put("handler", text(settings.handler()));
    fields.put("retry", CODEC.encodeText(settings.retry()));
    fields.put("timeout", text(settings.timeout()));
    fields.put("overlap", json(settings.overlap()));
    fields.put("misfire", json(settings.misfire()));
    fields.put("relyOnPrevCycle", String.valueOf(settings.relyOnPrevCycle()));
    fields.put("traceParent", text(job.origin().traceParent()));
    fields.put("traceState", text(job.origin().traceState()));
    fields.put("state", text(job.state()));
    fields.put("shards", text(settings.shards()));
    fields.put("reduce", text(settings.reduce()));
    fields.put("onPartFailure", text(settings.onPartFailure()));
    fields.put("within", text(settings.within()));
    fields.put("on", String.join(" ", settings.on()));
    fields.put("stickTo", text(settings.stickTo()));
    fields.put("broadcast", String.valueOf(settings.broadcast()));
    fields.put("onWorkerLost", text(settings.onWorkerLost()));
    return new JobEtag(
        Long.parseLong(job.id()),
        job.version(),
        fields.values().stream().map(JobEtag::digest).toList(),
        fields);
  }

  /**
   * Parses the header If-Match; empty if it matches any version. Throws a problem if it is not a
   * tag of a job.
   */
  static Optional<JobEtag> read(String header) {
    if (header.equals(ANY)) {
      return Optional.empty();
    }
    Matcher tag = TEXT.matcher(header);
    if (!tag.matches()) {
      throw Problem.Kind.PRECONDITION_FAILED.because(
          "If-Match is not an ETag of this job; get the job again and edit that version");
    }
    List<String> digests = DIGEST.matcher(tag.group(3)).results().map(MatchResult::group).toList();
    try {
      return Optional.of(
          new JobEtag(
              Long.parseLong(tag.group(1)), Integer.parseInt(tag.group(2)), digests, Map.of()));
    } catch (NumberFormatException e) {
      throw Problem.Kind.PRECONDITION_FAILED.because("If-Match is not an ETag of a job");
    }
  }

  /** The tag in the format of the header ETag. */
  String text() {
    return "\"" + jobId + "." + version + "." + String.join("", digests) + "\"";
  }

  /** The fields that differ from the earlier tag, with their current values. */
  List<Problem.ChangedField> changedSince(JobEtag before) {
    List<Problem.ChangedField> changed = new ArrayList<>();
    int i = 0;
    for (Map.Entry<String, String> field : fields.entrySet()) {
      if (i >= before.digests.size() || !before.digests.get(i).equals(digests.get(i))) {
        changed.add(new Problem.ChangedField(field.getKey(), shown(field.getValue())));
      }
      i++;
    }
    return changed;
  }

  private static String json(@Nullable Record value) {
    return value == null ? NONE : CODEC.encodeText(value);
  }

  private static String text(@Nullable Object value) {
    return value == null ? NONE : "\"" + value + "\"";
  }

  private static @Nullable String shown(String value) {
    if (value.equals(NONE)) {
      return null;
    }
    return value.length() <= SHOWN_CHARS ? value : value.substring(0, SHOWN_CHARS) + "…";
  }

  private static String digest(String value) {
    try {
      byte[] whole =
          MessageDigest.getInstance("SHA-256").digest(value.getBytes(StandardCharsets.UTF_8));
      return Base64.getUrlEncoder().encodeToString(Arrays.copyOf(whole, DIGEST_BYTES));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
