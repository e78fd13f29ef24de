package io.millrace.jobtracker.submit;

import io.millrace.api.Declaration;
import io.millrace.api.DeclareResult.Change;
import io.millrace.api.DeclareResult.JobResult;
import io.millrace.api.DeclareResult.Status;
import io.millrace.api.Job;
import io.millrace.api.RejectReason;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.lifecycle.SerialExecutor;
import io.millrace.internal.model.NameText;
import io.millrace.internal.protocol.DeclareReply;
import io.millrace.internal.protocol.DeclareRequest;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.JobSubmission;
import io.millrace.internal.rpc.Peer;
import io.millrace.internal.rpc.RpcException;
import io.millrace.jobtracker.domain.job.DeclaredDefinition;
import io.millrace.jobtracker.engine.EngineContext;
import io.millrace.jobtracker.submit.job.InvalidJobException;
import io.millrace.jobtracker.submit.job.JobValidator;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Receives the pages of declarations and validates their jobs. Handles one page at a time, because
 * pages of one owner would only wait for each other in the database. The reply is sent after the
 * commit; a page may be sent again. Thread-safe.
 */
public final class JobDeclarer {
  private final JobValidator validator;
  private final EngineContext engine;
  private final DeclareTransactions transactions;
  private final SerialExecutor turns;
  private final JsonCodec codec = new JsonCodec();

  JobDeclarer(JobValidator validator, EngineContext engine, DeclareTransactions transactions) {
    this.validator = validator;
    this.engine = engine;
    this.transactions = transactions;
    this.turns = new SerialExecutor("declarations", engine.time().executor());
  }

  /** Applies a page of a declaration. */
  public CompletableFuture<DeclareReply> declare(Peer client, DeclareRequest request) {
    String fault = faultOf(request);
    return fault == null
        ? CompletableFuture.supplyAsync(() -> apply(client, request), turns)
        : CompletableFuture.failedFuture(new RpcException(ErrorCode.BAD_REQUEST, fault));
  }

  private @Nullable String faultOf(DeclareRequest request) {
    String owner = request.owner();
    if (owner.isBlank() || owner.length() > Declaration.MAX_OWNER_CHARS) {
      return "the owner must have 1 to " + Declaration.MAX_OWNER_CHARS + " characters";
    }
    String character = NameText.faultOf(owner);
    if (character != null) {
      return "the owner has a character that is not allowed: " + character;
    }
    if (request.page() < 0 || request.jobs().size() > DeclareRequest.MAX_JOBS) {
      return "a page must have a number from 0 and at most " + DeclareRequest.MAX_JOBS + " jobs";
    }
    Set<List<String>> keys = new HashSet<>();
    for (Job job : request.jobs()) {
      if (!keys.add(List.of(job.nodeGroup(), job.taskId()))) {
        return "job " + job.nodeGroup() + "/" + job.taskId() + " is declared twice";
      }
    }
    try {
      validator.checkSubmissionId(request.declarationId());
      return null;
    } catch (InvalidJobException e) {
      return "the declaration id is invalid: " + e.describe();
    }
  }

  private DeclareReply apply(Peer client, DeclareRequest request) {
    Instant now = engine.time().clock().now();
    List<DeclaredEntry> entries =
        request.jobs().stream().map(job -> judge(client, request, job, now)).toList();
    Map<String, List<DeclaredEntry>> byGroup = new LinkedHashMap<>();
    entries.forEach(
        entry ->
            byGroup
                .computeIfAbsent(entry.job().nodeGroup(), group -> new ArrayList<>())
                .add(entry));
    Map<String, Map<String, JobResult>> results = new LinkedHashMap<>();
    for (Map.Entry<String, List<DeclaredEntry>> each : byGroup.entrySet()) {
      Map<String, JobResult> ofGroup = new LinkedHashMap<>();
      DeclareReply refusal = transactions.declare(request, each.getKey(), each.getValue(), ofGroup);
      if (refusal != null) {
        return refusal;
      }
      results.put(each.getKey(), ofGroup);
    }
    List<JobResult> inOrder = new ArrayList<>();
    for (DeclaredEntry entry : entries) {
      JobResult result =
          results.getOrDefault(entry.job().nodeGroup(), Map.of()).get(entry.taskId());
      if (result != null) {
        inOrder.add(result);
      }
    }
    return finish(request, inOrder);
  }

  private DeclareReply finish(DeclareRequest request, List<JobResult> results) {
    DeclareReply refusal = transactions.finishPage(request);
    if (refusal != null) {
      return refusal;
    }
    if (!request.last() || !request.retireMissing()) {
      return new DeclareReply(Status.DONE, null, results, false);
    }
    return transactions.retire(request, results);
  }

  private DeclaredEntry judge(Peer client, DeclareRequest request, Job job, Instant now) {
    Job asked = withReplace(job, request.adopt());
    DeclaredDefinition definition = definitionOf(job, client);
    DeclaredEntry entry = new DeclaredEntry(job, definition, null, null);
    if (!job.schedule().isRecurring()) {
      return entry.rejected(
          RejectReason.NOT_RECURRING,
          "a job that fires only once cannot be declared; submit it instead");
    }
    try {
      JobSubmission submission =
          new JobSubmission("declared-" + engine.ids().next(now.toEpochMilli()), asked);
      return new DeclaredEntry(
          job,
          definition,
          validator.validate(submission, Duration.ZERO, client, now).declaredBy(request.owner()),
          null);
    } catch (InvalidJobException e) {
      JobResult rejection =
          new JobResult(
              job.nodeGroup(),
              job.taskId(),
              Change.REJECTED,
              e.resultFor(job.taskId()).reason(),
              e.resultFor(job.taskId()).message());
      return new DeclaredEntry(job, definition, null, rejection);
    }
  }

  /** Decodes the definition from its JSON, so that it equals one that is read from the store. */
  private DeclaredDefinition definitionOf(Job job, Peer client) {
    return codec.decodeText(
        codec.encodeText(DeclaredDefinition.of(job, client.group())), DeclaredDefinition.class);
  }

  private static Job withReplace(Job job, boolean replaceExisting) {
    return new Job(
        job.nodeGroup(),
        job.taskId(),
        job.schedule(),
        job.params(),
        job.priority(),
        job.handler(),
        job.retry(),
        job.timeout(),
        job.overlap(),
        job.misfire(),
        job.relyOnPrevCycle(),
        replaceExisting,
        job.feedback(),
        null,
        job.shards(),
        job.reduce(),
        job.onPartFailure(),
        job.within(),
        job.requires(),
        job.stickTo(),
        job.broadcast(),
        job.onWorkerLost());
  }
}
