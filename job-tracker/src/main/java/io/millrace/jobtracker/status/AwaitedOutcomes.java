package io.millrace.jobtracker.status;

import io.millrace.api.JobHandle;
import io.millrace.api.JobStatus;
import io.millrace.internal.protocol.OutcomeReply;
import io.millrace.internal.protocol.OutcomeRequest;
import io.millrace.internal.rpc.Peer;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.internal.time.Timer;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.pipeline.BoundedReads;
import io.millrace.jobtracker.store.CommitListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
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

  /**
   * The most ends that one read of results is for: each result may have 64 KiB, and commits and
   * passes bring many at once.
   */
  private static final int MAX_OF_READ = 16;

  private final StatusReader reader;
  private final EndedJobs ended;
  private final BoundedReads reads;
  private final TimedExecutor time;
  private final Map<String, Set<Question>> bySubmission = new HashMap<>();
  private final Map<Peer, Integer> byPeer = new HashMap<>();
  private List<LedgerEntry> committed = new ArrayList<>();

  /** How many jobs are awaited; read without the lock by every commit. */
  private volatile int awaited;

  AwaitedOutcomes(StatusReader reader, EndedJobs ended, BoundedReads reads, TimedExecutor time) {
    this.reader = reader;
    this.ended = ended;
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

  /**
   * Costs a read of a field while nothing is awaited. Ends of commits that follow closely are told
   * together; those that cannot be told now are found by the next pass.
   */
  @Override
  public void ended(LedgerEntry row) {
    if (awaited == 0
        || !row.status().isFinal()
        || (row.isOfRecurringJob() && !row.key().isExtra())
        || questionsAbout(row).isEmpty()) {
      return;
    }
    if (isFirstToTell(row)) {
      reads
          .read(() -> tell(takeCommitted()))
          .whenComplete(
              (told, failure) -> {
                if (failure != null) {
                  List<LedgerEntry> unused = takeCommitted();
                }
              });
    }
  }

  private synchronized boolean isFirstToTell(LedgerEntry row) {
    committed.add(row);
    return committed.size() == 1;
  }

  private synchronized List<LedgerEntry> takeCommitted() {
    List<LedgerEntry> rows = committed;
    committed = new ArrayList<>();
    return rows;
  }

  /** Answers the questions about these ends, and returns how many ends answered one. */
  private int tell(List<LedgerEntry> rows) {
    int told = 0;
    for (int from = 0; from < rows.size(); from += MAX_OF_READ) {
      List<LedgerEntry> some =
          rows.subList(from, Math.min(rows.size(), from + MAX_OF_READ)).stream()
              .filter(row -> !questionsAbout(row).isEmpty())
              .toList();
      for (JobStatus end : ended.answers(some)) {
        questionsAbout(end.submissionId()).forEach(question -> question.answer(List.of(end)));
      }
      told += some.size();
    }
    return told;
  }

  private List<Question> questionsAbout(LedgerEntry row) {
    return questionsAbout(row.origin().submissionId());
  }

  private synchronized List<Question> questionsAbout(@Nullable String submissionId) {
    return submissionId == null
        ? List.of()
        : List.copyOf(bySubmission.getOrDefault(submissionId, Set.of()));
  }

  /**
   * Looks for ends in the ledger.
   *
   * @return how many were told
   */
  int runOnce() {
    return awaited == 0 ? 0 : tell(ended.find(someAwaited()));
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
