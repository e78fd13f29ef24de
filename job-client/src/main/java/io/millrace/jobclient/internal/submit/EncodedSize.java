package io.millrace.jobclient.internal.submit;

import io.millrace.api.Job;
import io.millrace.api.Schedule;
import io.millrace.api.TraceContext;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Calculates an upper estimate of the bytes that a job takes in a request, so that requests can be
 * split before they are encoded. Each character counts with the length of its longest encoding in
 * JSON.
 */
public final class EncodedSize {
  /** The bytes of field names, numbers, instants and punctuation of one submission. */
  private static final int FIXED = 1_024;

  private static final int QUOTES_AND_SEPARATOR = 4;
  private static final int UNICODE_ESCAPE = 6;

  private EncodedSize() {}

  /** Returns the estimate for a job. */
  public static long of(Job job) {
    long bytes = FIXED + text(job.nodeGroup()) + text(job.taskId()) + text(job.handler());
    if (job.schedule() instanceof Schedule.Cron cron) {
      bytes += text(cron.expression());
    }
    for (Map.Entry<String, String> param : job.params().entrySet()) {
      bytes += text(param.getKey()) + text(param.getValue());
    }
    for (String type : job.retry().nonRetryable()) {
      bytes += text(type);
    }
    TraceContext trace = job.trace();
    if (trace != null) {
      bytes += text(trace.traceParent()) + text(trace.traceState());
    }
    return bytes;
  }

  private static long text(@Nullable String text) {
    if (text == null) {
      return QUOTES_AND_SEPARATOR;
    }
    long bytes = QUOTES_AND_SEPARATOR;
    for (int i = 0; i < text.length(); i++) {
      bytes += character(text.charAt(i));
    }
    return bytes;
  }

  private static int character(char c) {
    if (c < 0x20 || (c >= 0x7f && c < 0xa0) || Character.isSurrogate(c)) {
      return UNICODE_ESCAPE;
    }
    if (c == '"' || c == '\\') {
      return 2;
    }
    if (c < 0x7f) {
      return 1;
    }
    return c < 0x800 ? 2 : 3;
  }
}
