package io.millrace.jobtracker.domain.job;

import io.millrace.api.Job;
import io.millrace.api.MisfirePolicy;
import io.millrace.api.PartFailurePolicy;
import io.millrace.api.WorkerLossPolicy;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A job as it was declared, in the form in which two declarations are compared: defaults are filled
 * in, what has no effect on declared jobs is left out, and of the parameters there is a digest. It
 * is stored as JSON and compared after decoding, so that a field that a later version adds makes no
 * difference while it has its default.
 *
 * @param job the job, without parameters and trace
 * @param feedbackTo the client group that receives feedback; null without feedback
 * @param params SHA-256 of the parameters, in hex; independent of their order
 */
public record DeclaredDefinition(Job job, @Nullable String feedbackTo, String params) {

  /** The definition of a job that a client of this group declares. */
  public static DeclaredDefinition of(Job job, String clientGroup) {
    Job comparable =
        new Job(
            job.nodeGroup(),
            job.taskId(),
            job.schedule(),
            Map.of(),
            job.priority(),
            job.handler(),
            job.retry(),
            job.timeout(),
            job.overlapOrDefault(),
            job.misfire() == null ? MisfirePolicy.DEFAULT : job.misfire(),
            job.relyOnPrevCycle(),
            false,
            job.feedback(),
            null,
            job.shards(),
            job.reduce(),
            job.onPartFailure() == PartFailurePolicy.FINISH ? null : job.onPartFailure(),
            job.within(),
            job.requires(),
            job.stickTo(),
            job.broadcast(),
            job.onWorkerLost() == WorkerLossPolicy.SKIP ? null : job.onWorkerLost());
    return new DeclaredDefinition(
        comparable, job.feedback() ? clientGroup : null, digestOf(job.params()));
  }

  private static String digestOf(Map<String, String> params) {
    StringBuilder text = new StringBuilder();
    new TreeMap<>(params)
        .forEach(
            (name, value) ->
                text.append(name.length())
                    .append(':')
                    .append(name)
                    .append(String.valueOf(value).length())
                    .append(':')
                    .append(value));
    return digestOf(text.toString());
  }

  /** Returns the SHA-256 of the UTF-16 characters of a text, in hex. */
  public static String digestOf(String text) {
    byte[] bytes = new byte[2 * text.length()];
    for (int i = 0; i < text.length(); i++) {
      bytes[2 * i] = (byte) (text.charAt(i) >> 8);
      bytes[2 * i + 1] = (byte) text.charAt(i);
    }
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java has no SHA-256", e);
    }
  }
}
