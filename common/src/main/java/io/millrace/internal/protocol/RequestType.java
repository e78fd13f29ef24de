package io.millrace.internal.protocol;

import io.millrace.api.CancelResult;
import io.millrace.api.ChangeResult;
import io.millrace.api.Explanation;
import io.millrace.api.JobPage;
import io.millrace.api.JobStatus;
import io.millrace.api.RunNowResult;
import io.millrace.api.TerminateResult;
import io.millrace.api.TrackerHealth;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Every request of the protocol: its code on the wire, the record of the request and the record of
 * the reply. Codes are never reused.
 */
public enum RequestType {
  /** First request on a connection: the caller's identity and its protocol versions. */
  HELLO(1, Hello.class, HelloReply.class),
  /** Second request if a token is required: the proof of the token. */
  AUTHENTICATE(2, Authenticate.class, AuthenticateReply.class),
  /** Any node to tracker: asks for a sign of life, and for the addresses of the trackers. */
  PING(3, Ping.class, PingReply.class),
  /** Client to tracker: store jobs. */
  SUBMIT(10, SubmitRequest.class, SubmitReply.class),
  /** Client to tracker: cancel a job. */
  CANCEL(11, CancelRequest.class, CancelResult.class),
  /** Tracker to client: triggers that have ended. */
  FEEDBACK(12, FeedbackRequest.class, FeedbackReply.class),
  /** Client to tracker: pause a job. */
  PAUSE(13, PauseRequest.class, ChangeResult.class),
  /** Client to tracker: resume a job. */
  RESUME(14, ResumeRequest.class, ChangeResult.class),
  /** Client to tracker: run a job once more, now. */
  RUN_NOW(15, RunNowRequest.class, RunNowResult.class),
  /** Client to tracker: ask why a job has or has not run. */
  EXPLAIN(16, ExplainRequest.class, Explanation.class),
  /** Client to tracker: terminate running executions of a job. */
  TERMINATE(17, TerminateRequest.class, TerminateResult.class),
  /** Client to tracker: ask for the tracker's health. */
  HEALTH(18, HealthRequest.class, TrackerHealth.class),
  /** Worker to tracker: free slots, and held executions. */
  PULL(20, PullRequest.class, PullReply.class),
  /** Worker to tracker: results of attempts. */
  COMPLETE(21, CompleteRequest.class, CompleteReply.class),
  /** Worker to tracker: lines of job logs. */
  LOG(22, LogRequest.class, LogReply.class),
  /** Worker to tracker: a value that later attempts of a run are to find. */
  KEEP(23, KeepRequest.class, KeepReply.class),
  /** Worker to tracker: ask what earlier attempts of a run have kept. */
  KEPT(24, KeptRequest.class, KeptReply.class),
  /** Worker to tracker: parts that a handler makes of its run. */
  STAGE(25, StageRequest.class, StageReply.class),
  /** Worker to tracker: ask how the parts of a run ended. */
  PARTS(26, PartsRequest.class, PartsReply.class),
  /** Tracker to tracker: rows were stored that the other tracker serves. */
  HINT(30, HintRequest.class, HintReply.class),
  /** Tracker to tracker: the other tracker owns a node group from now on. */
  HAND_OVER(31, HandOverRequest.class, HandOverReply.class),
  /** Client to tracker: ask for the status of a job, or of one submit of it. */
  STATUS(40, StatusRequest.class, JobStatus.class),
  /** Client to tracker: list the live jobs of a node group. */
  LIST(41, ListRequest.class, JobPage.class),
  /** Client to tracker: ask for the ends of one-shots, and wait for the first of them. */
  OUTCOME(42, OutcomeRequest.class, OutcomeReply.class),
  /** Client to tracker: a page of the recurring jobs that an owner wants to exist. */
  DECLARE(43, DeclareRequest.class, DeclareReply.class);

  private static final Map<Integer, RequestType> BY_CODE =
      Arrays.stream(values()).collect(Collectors.toMap(RequestType::code, Function.identity()));
  private static final Map<Class<?>, RequestType> BY_REQUEST =
      Arrays.stream(values())
          .collect(Collectors.toMap(RequestType::requestClass, Function.identity()));

  private final int code;
  private final Class<?> requestClass;
  private final Class<?> replyClass;

  <R> RequestType(int code, Class<? extends Request<R>> requestClass, Class<R> replyClass) {
    this.code = code;
    this.requestClass = requestClass;
    this.replyClass = replyClass;
  }

  public int code() {
    return code;
  }

  public Class<?> requestClass() {
    return requestClass;
  }

  public Class<?> replyClass() {
    return replyClass;
  }

  /** The type of this code, or null if this version does not know it. */
  public static @Nullable RequestType ofCode(int code) {
    return BY_CODE.get(code);
  }

  /** The type of this request. */
  public static RequestType of(Request<?> request) {
    RequestType type = BY_REQUEST.get(request.getClass());
    if (type == null) {
      throw new IllegalArgumentException("not a request of the protocol: " + request.getClass());
    }
    return type;
  }
}
