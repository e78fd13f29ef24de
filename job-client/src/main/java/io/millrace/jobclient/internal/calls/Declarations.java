package io.millrace.jobclient.internal.calls;

import io.millrace.api.Declaration;
import io.millrace.api.DeclareResult;
import io.millrace.api.DeclareResult.JobResult;
import io.millrace.api.Job;
import io.millrace.api.SubmitResult;
import io.millrace.internal.protocol.DeclareReply;
import io.millrace.internal.protocol.DeclareRequest;
import io.millrace.jobclient.internal.request.SubmissionIds;
import io.millrace.jobclient.internal.submit.EncodedSize;
import io.millrace.jobclient.internal.submit.Sendable;
import io.millrace.jobclient.internal.submit.SubmitBounds;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Sends declarations in pages, each after the answer to the one before. Thread-safe.
 *
 * <p>A job that no request can carry fails the whole declaration before anything is sent: without
 * the job, the tracker would take it for a missing one and retire it.
 */
public final class Declarations {
  private static final SubmitBounds BOUNDS = SubmitBounds.of(1);

  private final RetryingCalls calls;
  private final SubmissionIds ids;

  public Declarations(RetryingCalls calls, SubmissionIds ids) {
    this.calls = calls;
    this.ids = ids;
  }

  /**
   * Sends a declaration.
   *
   * @return completed with the tracker's answers to all pages, or with a {@link
   *     CallFailedException}
   * @throws IllegalArgumentException naming a job that no request can carry
   * @throws IllegalStateException if the calls are closed
   */
  public CompletableFuture<DeclareResult> declare(Declaration declaration) {
    calls.checkOpen();
    Sending sending = new Sending(declaration, ids.next(), pages(declaration.jobs()));
    return sending.send(0);
  }

  /** Cuts the jobs into pages; there is always at least one. */
  private static List<List<Job>> pages(List<Job> jobs) {
    List<List<Job>> pages = new ArrayList<>(List.of(new ArrayList<>()));
    long pageBytes = 0;
    for (Job job : jobs) {
      long bytes = EncodedSize.of(job);
      SubmitResult rejection = Sendable.rejection(job, bytes, BOUNDS.bytesPerJob());
      if (rejection != null) {
        throw new IllegalArgumentException(
            "job "
                + job.nodeGroup()
                + "/"
                + job.taskId()
                + " cannot be declared: "
                + rejection.message());
      }
      List<Job> page = pages.get(pages.size() - 1);
      boolean isFull =
          page.size() == DeclareRequest.MAX_JOBS || pageBytes + bytes > BOUNDS.bytesPerRequest();
      if (isFull && !page.isEmpty()) {
        page = new ArrayList<>();
        pages.add(page);
        pageBytes = 0;
      }
      page.add(job);
      pageBytes += bytes;
    }
    return pages;
  }

  /** A declaration under way. Its pages are answered one after the other. */
  private final class Sending {
    private final Declaration declaration;
    private final String id;
    private final List<List<Job>> pages;
    private final List<JobResult> results = new ArrayList<>();

    private Sending(Declaration declaration, String id, List<List<Job>> pages) {
      this.declaration = declaration;
      this.id = id;
      this.pages = pages;
    }

    private CompletableFuture<DeclareResult> send(int number) {
      String what =
          "page " + (number + 1) + " of the declaration of owner '" + declaration.owner() + "'";
      return calls.ask(what, page(number)).thenCompose(reply -> answered(number, reply));
    }

    private DeclareRequest page(int number) {
      return new DeclareRequest(
          id,
          declaration.owner(),
          declaration.revision(),
          number,
          number >= pages.size() - 1,
          declaration.retireMissing(),
          declaration.adopt(),
          declaration.force(),
          number < pages.size() ? pages.get(number) : List.of());
    }

    private CompletableFuture<DeclareResult> answered(int number, DeclareReply reply) {
      results.addAll(reply.jobs());
      boolean isOver = number >= pages.size() - 1 && !reply.more();
      return reply.status() == DeclareResult.Status.DONE && !isOver
          ? send(number + 1)
          : CompletableFuture.completedFuture(
              new DeclareResult(reply.status(), reply.message(), results));
    }
  }
}
