package io.millrace.jobclient.outbox;

import io.millrace.common.codec.JsonCodec;
import io.millrace.common.protocol.JobSubmission;
import io.millrace.jobclient.submit.JobKey;
import io.millrace.jobclient.submit.ToKeep;
import org.jspecify.annotations.Nullable;

/**
 * The body of an entry. Components may be added only so that versions before can do without: an
 * outbox outlives an upgrade, and a step back.
 *
 * @param kind what is asked for
 * @param submission the job; set if and only if it is a submit
 */
record SavedRequest(
    Kind kind, String nodeGroup, String taskId, @Nullable JobSubmission submission) {

  /** What can be saved. */
  enum Kind {
    SUBMIT,
    CANCEL,
    /** A value of a newer version. */
    UNKNOWN
  }

  private static final JsonCodec CODEC = new JsonCodec();

  SavedRequest {
    boolean isSubmit = kind == Kind.SUBMIT && submission != null;
    boolean isCancel = kind == Kind.CANCEL && submission == null;
    if (!isSubmit && !isCancel) {
      throw new IllegalArgumentException("it is neither a submit nor a cancel");
    }
  }

  /**
   * Encodes a request.
   *
   * @throws io.millrace.common.codec.CodecException if a component of the job that is needed is
   *     null
   */
  static byte[] encode(ToKeep request) {
    return CODEC.encode(
        new SavedRequest(
            request.submission() == null ? Kind.CANCEL : Kind.SUBMIT,
            request.key().nodeGroup(),
            request.key().taskId(),
            request.submission()));
  }

  /**
   * Decodes what was encoded.
   *
   * @throws io.millrace.common.codec.CodecException if it was not
   */
  static SavedRequest decode(byte[] body) {
    return CODEC.decode(body, SavedRequest.class);
  }

  JobKey key() {
    return new JobKey(nodeGroup, taskId);
  }
}
