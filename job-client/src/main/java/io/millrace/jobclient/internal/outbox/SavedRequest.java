package io.millrace.jobclient.internal.outbox;

import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.protocol.JobSubmission;
import io.millrace.jobclient.internal.request.JobKey;
import org.jspecify.annotations.Nullable;

/**
 * The body of an entry. A component may be added only if older versions can do without it: an
 * outbox outlives an upgrade and a downgrade.
 *
 * @param kind the kind of the request
 * @param submission the job; set if and only if the request is a submit
 */
record SavedRequest(
    Kind kind, String nodeGroup, String taskId, @Nullable JobSubmission submission) {

  /** The kinds of requests that can be saved. */
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
   * @throws io.millrace.internal.codec.CodecException if a required component of the job is null
   */
  static byte[] encode(OutboxRequest request) {
    return CODEC.encode(
        new SavedRequest(
            request.submission() == null ? Kind.CANCEL : Kind.SUBMIT,
            request.key().nodeGroup(),
            request.key().taskId(),
            request.submission()));
  }

  /**
   * Decodes the body of an entry.
   *
   * @throws io.millrace.internal.codec.CodecException if the body is not an encoded request
   */
  static SavedRequest decode(byte[] body) {
    return CODEC.decode(body, SavedRequest.class);
  }

  JobKey key() {
    return new JobKey(nodeGroup, taskId);
  }
}
