package io.millrace.jobtracker.status;

import io.millrace.api.JobHandle;
import io.millrace.api.JobStatus;
import io.millrace.internal.protocol.OutcomeReply;
import io.millrace.internal.protocol.OutcomeRequest;
import io.millrace.internal.rpc.Peer;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.internal.time.Timer;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.store.CommitListener;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Questions about ends that wait for the first of them. An end that this tracker commits answers
 * them at once; {@link #runOnce} finds the ends that other trackers committed. The ledger is the
 * record: what is here may be lost, and is asked again. Bounded for each connection and for all
 * together; a question above the bound does not wait. Thread-safe.
 */
final class AwaitedOutcomes implements CommitListener {
  /** The most questions of one connection that wait. */
  static final int MAX_OF_PEER = 16;

  /** The most jobs of all questions that wait. */
  static final int MAX_JOBS = 20_000;

  /** The most jobs that one pass looks for; the questions about the others are soon asked again. */
  static final int MAX_OF_PASS = 2_000;

  private final StatusReader reader;
  private final BoundedReads reads;
  private final TimedExecutor time;
  private final Map<String, Set<Question>> bySubmission = new HashMap<>();
  private final Map<Peer, Integer> byPeer = new HashMap<>();

  /** How many jobs are awaited; read without the lock by every commit. */
  private volatile int awaited;

  AwaitedOutcomes(StatusReader reader, BoundedReads reads, TimedExecutor time) {
    this.reader = reader;
    this.reads = reads;
    this.time = time;
  }

  private static final class Question {
    final Peer peer;
    final List<JobHandle> jobs;
    final CompletableFuture<OutcomeReply> reply = new CompletableFuture<>();

    Question(Peer peer, List<JobHandle> jobs) {
      this.peer = peer;
      this.jobs = jobs;
    }

    void answer(List<JobStatus> settled) {
      reply.complete(new OutcomeReply(settled));
    }
  }

  /**
   * Answers a question, at once if something is settled. The question is registered before the
   * store is read, so that it misses no end.
   */
  CompletableFuture<OutcomeReply> ask(Peer peer, OutcomeRequest request) {
    Question question = new Question(peer, request.jobs());
    Duration wait = waitOf(request);
    boolean waits = !wait.isZero() && register(question);
    question.reply.whenComplete((reply, failure) -> forget(question, waits));
    reads
        .read(() -> reader.settled(question.jobs))
        .whenComplete((settled, failure) -> begin(question, waits ? wait : null, settled, failure));
    return question.reply;
  }

  private static Duration waitOf(OutcomeRequest request) {
    Long wanted = request.waitMillis();
    long millis = wanted == null ? 0 : Math.min(wanted, OutcomeRequest.MAX_WAIT_MILLIS);
    return Duration.ofMillis(Math.max(0, millis));
  }

  private void begin(
      Question question,
      @Nullable Duration wait,
      @Nullable List<JobStatus> settled,
      @Nullable Throwable failure) {
    if (settled == null) {
      question.reply.completeExceptionally(
          failure == null ? new IllegalStateException("nothing was read") : failure);
    } else if (wait == null || !settled.isEmpty()) {
      question.answer(settled);
    } else {
      Timer.Timeout timeout = time.schedule(wait, () -> question.answer(List.of()));
      question.reply.whenComplete(
          (reply, failed) -> {
            boolean unused = timeout.cancel();
          });
    }
  }

  private synchronized boolean register(Question question) {
    int ofPeer = byPeer.getOrDefault(question.peer, 0);
    if (ofPeer >= MAX_OF_PEER || awaited + question.jobs.size() > MAX_JOBS) {
      return false;
    }
    byPeer.put(question.peer, ofPeer + 1);
    awaited += question.jobs.size();
    for (JobHandle job : question.jobs) {
      bySubmission.computeIfAbsent(job.submissionId(), id -> new HashSet<>()).add(question);
    }
    return true;
  }

  private void forget(Question question, boolean registered) {
    if (!registered) {
      return;
    }
    synchronized (this) {
      byPeer.computeIfPresent(question.peer, (peer, count) -> count == 1 ? null : count - 1);
      awaited -= question.jobs.size();
      for (JobHandle job : question.jobs) {
        bySubmission.computeIfPresent(
            job.submissionId(),
            (id, questions) ->
                questions.remove(question) && questions.isEmpty() ? null : questions);
      }
    }
  }

  /** Costs a read of a field while nothing is awaited. */
  @Override
  public void ended(LedgerEntry row) {
    String submissionId = row.origin().submissionId();
    if (awaited == 0 || submissionId == null || !row.status().isFinal()) {
      return;
    }
    List<Question> questions = questionsAbout(submissionId);
    if (!questions.isEmpty() && !(row.isOfRecurringJob() && !row.key().isExtra())) {
      JobStatus end = StatusAnswers.ended(submissionId, row, time.millis());
      try {
        time.execute(() -> questions.forEach(question -> question.answer(List.of(end))));
      } catch (RejectedExecutionException full) {
        // The next pass finds the end.
      }
    }
  }

  private synchronized List<Question> questionsAbout(String submissionId) {
    return List.copyOf(bySubmission.getOrDefault(submissionId, Set.of()));
  }

  /**
   * Looks for ends in the ledger.
   *
   * @return how many were found
   */
  int runOnce() {
    if (awaited == 0) {
      return 0;
    }
    List<JobStatus> ends = reader.ended(someAwaited());
    for (JobStatus end : ends) {
      questionsAbout(String.valueOf(end.submissionId()))
          .forEach(question -> question.answer(List.of(end)));
    }
    return ends.size();
  }

  private synchronized List<JobHandle> someAwaited() {
    return bySubmission.values().stream()
        .flatMap(questions -> questions.stream().limit(1))
        .flatMap(question -> question.jobs.stream())
        .distinct()
        .limit(MAX_OF_PASS)
        .toList();
  }

  /** Answers all questions that wait. */
  void close() {
    Set<Question> questions = new HashSet<>();
    synchronized (this) {
      bySubmission.values().forEach(questions::addAll);
    }
    questions.forEach(question -> question.answer(List.of()));
  }
}
