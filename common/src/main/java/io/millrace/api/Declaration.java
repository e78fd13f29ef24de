package io.millrace.api;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The whole set of recurring jobs that an application wants to exist. A tracker compares it with
 * what the same owner declared last, and stores only the differences. Immutable; made by {@link
 * #builder}.
 *
 * @param owner who declares, usually the name of the application: 1 to 128 visible characters. Each
 *     declared job belongs to one owner
 * @param revision the version of the set, which rises with every release; null means none. A
 *     declaration with a revision below the highest of its owner, or with none after ones that had
 *     one, is OUTDATED and changes nothing. Without revisions the last declaration wins
 * @param jobs the jobs, each with a cron expression, an interval or a fixed delay. {@code
 *     replaceExisting} and {@code trace} have no effect on declared jobs
 * @param retireMissing whether jobs of the owner that are not in the set are cancelled; an empty
 *     set cancels none
 * @param adopt whether jobs with a key of the set that belong to another owner, or to none, become
 *     jobs of this owner; otherwise they are conflicts and stay as they are
 * @param force whether the declaration takes effect even if its revision is outdated; its revision
 *     is then the highest of the owner
 */
public record Declaration(
    String owner,
    @Nullable Long revision,
    List<Job> jobs,
    boolean retireMissing,
    boolean adopt,
    boolean force) {

  /** The greatest length of an owner's name. */
  public static final int MAX_OWNER_CHARS = 128;

  public Declaration {
    jobs = List.copyOf(jobs);
  }

  /** Begins a declaration, which needs at least an {@link Builder#owner owner}. */
  public static Builder builder() {
    return new Builder();
  }

  /** Collects the parts of a {@link Declaration}. Not thread-safe. */
  public static final class Builder {
    private @Nullable String owner;
    private @Nullable Long revision;
    private final List<Job> jobs = new ArrayList<>();
    private boolean retireMissing;
    private boolean adopt;
    private boolean force;

    private Builder() {}

    /** Who declares, usually the name of the application; required. */
    public Builder owner(String name) {
      this.owner = Objects.requireNonNull(name, "name");
      return this;
    }

    /** The version of the set, for example the build time in seconds; none unless set. */
    public Builder revision(long number) {
      this.revision = number;
      return this;
    }

    /** Adds jobs to the set. */
    public Builder jobs(Collection<Job> more) {
      more.forEach(job -> jobs.add(Objects.requireNonNull(job, "job")));
      return this;
    }

    /** Cancels jobs of the owner that are not in the set; off unless set. */
    public Builder retireMissing(boolean retire) {
      this.retireMissing = retire;
      return this;
    }

    /** Takes over jobs of another owner or of none; off unless set. */
    public Builder adopt(boolean take) {
      this.adopt = take;
      return this;
    }

    /** Takes effect even if the revision is outdated; off unless set. */
    public Builder force(boolean always) {
      this.force = always;
      return this;
    }

    /**
     * Builds the declaration.
     *
     * @throws IllegalStateException if the owner is missing or longer than {@value
     *     #MAX_OWNER_CHARS} characters, if a job fires only once, or if two jobs have the same key
     */
    public Declaration build() {
      if (owner == null || owner.isBlank() || owner.length() > MAX_OWNER_CHARS) {
        throw new IllegalStateException(
            "a declaration needs an owner of 1 to " + MAX_OWNER_CHARS + " characters");
      }
      Set<List<String>> keys = new HashSet<>();
      for (Job job : jobs) {
        String name = "job " + job.nodeGroup() + "/" + job.taskId();
        if (!job.schedule().isRecurring()) {
          throw new IllegalStateException(
              name
                  + " fires only once and cannot be declared: give it cron, every or fixedDelay, or"
                  + " submit it");
        }
        if (!keys.add(List.of(job.nodeGroup(), job.taskId()))) {
          throw new IllegalStateException(name + " is declared twice");
        }
      }
      return new Declaration(owner, revision, jobs, retireMissing, adopt, force);
    }
  }
}
