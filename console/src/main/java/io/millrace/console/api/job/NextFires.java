package io.millrace.console.api.job;

import io.millrace.console.http.Problem.Kind;
import io.millrace.jobtracker.store.JobStore;
import io.millrace.jobtracker.store.JobStore.FoundJob;
import io.millrace.jobtracker.store.JobStore.FoundJobs;
import io.millrace.jobtracker.store.JobStore.Search;
import io.millrace.jobtracker.store.order.Direction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Reads jobs by their next fire time, soonest first; those without one come last. Fire times are
 * computed from schedules, so no index has this order: each page computes that of every job that
 * matches, and keeps as many jobs as it returns. Thread-safe.
 */
record NextFires(JobStore jobs, JobDetails details) {
  /** The most jobs whose fire times a page computes; 10,000 take about a third of a second. */
  static final int MOST = 20_000;

  private static final int AT_ONCE = 500;

  /** The most jobs that one read examines, whether they match or not. */
  private static final int LOOK_AT = 5_000;

  private static final int MOST_READS = MOST / AT_ONCE;

  /** A place in this order: directly behind a job of this key that fires then. */
  record Place(long fireAt, String nodeGroup, String taskId) implements Comparable<Place> {
    private static final Comparator<Place> ORDER =
        Comparator.comparingLong(Place::fireAt)
            .thenComparing(Place::nodeGroup)
            .thenComparing(Place::taskId);

    @Override
    public int compareTo(Place other) {
      return ORDER.compare(this, other);
    }
  }

  /**
   * A page.
   *
   * @param next the place to continue; null if there are no more jobs
   */
  record Page(List<FoundJob> jobs, @Nullable Place next) {}

  private record Candidate(Place place, FoundJob job) {}

  /** Throws a problem if too many jobs match. */
  Page read(Search search, @Nullable Place behind, int limit) {
    PriorityQueue<Candidate> soonest =
        new PriorityQueue<>(Comparator.comparing(Candidate::place).reversed());
    JobStore.Place place = null;
    for (int reads = 0; reads == 0 || place != null; reads++) {
      if (reads == MOST_READS) {
        throw Kind.BAD_REQUEST.because(
            "order=NEXT_FIRE sorts %d jobs at most, and this search has more: name a node group or"
                    .formatted(MOST)
                + " a part of the name");
      }
      FoundJobs part = jobs.search(search, Direction.ASCENDING, place, AT_ONCE, LOOK_AT);
      for (FoundJob job : part.jobs()) {
        Candidate candidate = new Candidate(placeOf(job), job);
        if (behind == null || candidate.place().compareTo(behind) > 0) {
          keep(soonest, candidate, limit);
        }
      }
      place = part.next();
    }
    List<Candidate> page = new ArrayList<>(soonest);
    page.sort(Comparator.comparing(Candidate::place));
    return new Page(
        page.stream().map(Candidate::job).toList(),
        page.size() < limit ? null : page.get(limit - 1).place());
  }

  private static void keep(PriorityQueue<Candidate> soonest, Candidate candidate, int limit) {
    soonest.add(candidate);
    if (soonest.size() > limit) {
      Candidate unused = soonest.poll();
    }
  }

  private Place placeOf(FoundJob job) {
    Instant fireAt = details.nextFireAt(job.job());
    return new Place(
        fireAt == null ? Long.MAX_VALUE : fireAt.toEpochMilli(),
        job.job().nodeGroup(),
        job.job().taskId());
  }
}
