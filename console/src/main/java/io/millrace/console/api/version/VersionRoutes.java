package io.millrace.console.api.version;

import io.millrace.console.api.JobFinder;
import io.millrace.console.api.KnownJob;
import io.millrace.console.api.Paths;
import io.millrace.console.api.job.JobRoutes;
import io.millrace.console.api.job.JobSchedule;
import io.millrace.console.api.job.JobSettings;
import io.millrace.console.http.Call;
import io.millrace.console.http.Param;
import io.millrace.console.http.ParamForm;
import io.millrace.console.http.Route;
import io.millrace.internal.codec.Flattened;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobVersion;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.store.Stores;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The route for the versions of a recurring job. */
public record VersionRoutes(Stores stores, JobFinder finder) {
  private static final Param<Integer> BEFORE =
      Param.query(
          "before",
          ParamForm.integer(1, Integer.MAX_VALUE),
          Integer.MAX_VALUE,
          "The 'next' of the previous page: only versions below this one");

  /**
   * What a version of a job defines, in the form in which a job is shown and edited.
   *
   * @param schedule when it fires
   * @param traceParent of the trace in which it was submitted; null if none
   * @param traceState vendor data of that trace; null if none
   */
  public record VersionDefinition(
      JobSchedule schedule,
      @Flattened JobSettings settings,
      @Nullable String traceParent,
      @Nullable String traceState) {
    static VersionDefinition of(JobVersion.Definition definition) {
      TriggerSpec spec = definition.spec();
      return new VersionDefinition(
          JobSchedule.of(definition.schedule()),
          JobSettings.ofRecurring(
              definition.params(), definition.priority(), spec, definition.schedule()),
          spec.traceParent(),
          spec.traceState());
    }
  }

  /**
   * A version of a job: a definition of it, or its cancel.
   *
   * @param version of the job; pauses raise it too and are no versions here
   * @param at when it was stored; of an unrecorded one, when the next one was
   * @param source where it came from; UNRECORDED if a tracker of a former version stored it
   * @param by client group and node id of the client, owner of the declaration, or name of the
   *     operator
   * @param address where the request came from; null if that is not known
   * @param paramsLeftOut whether its parameters were too large to be kept
   * @param definition what it defined; null if it cancelled the job
   */
  public record VersionItem(
      int version,
      Instant at,
      JobVersion.Source source,
      String by,
      @Nullable String address,
      boolean paramsLeftOut,
      @Nullable VersionDefinition definition) {
    static VersionItem of(JobVersion row) {
      JobVersion.Definition definition = row.definition();
      return new VersionItem(
          row.version(),
          Instant.ofEpochMilli(row.storedAt()),
          row.author().source(),
          row.author().name(),
          row.author().address(),
          definition != null && definition.params().isLeftInStore(),
          definition == null ? null : VersionDefinition.of(definition));
    }
  }

  /** A page of versions, latest first. */
  public record VersionPage(List<VersionItem> items, @Nullable String next) {}

  public List<Route> routes() {
    return List.of(
        JobRoutes.JOB
            .get(
                "/versions",
                "listVersions",
                "The definitions that a recurring job has had, and who stored them; none of a"
                    + " one-shot")
            .with(BEFORE, Paths.LIMIT)
            .answers(VersionPage.class, this::list));
  }

  private Object list(Call call) {
    String group = call.get(Paths.GROUP);
    String task = call.get(Paths.TASK);
    finder.requireGroup(group);
    Optional<JobDefinition> job = stores.jobs().find(group, task);
    if (job.isEmpty()) {
      KnownJob unused = finder.get(group, task);
      return new VersionPage(List.of(), null);
    }
    int limit = call.get(Paths.LIMIT);
    List<JobVersion> found = stores.versions().list(job.get().id(), call.get(BEFORE), limit);
    return new VersionPage(
        found.stream().map(VersionItem::of).toList(),
        found.size() < limit ? null : String.valueOf(found.get(limit - 1).version()));
  }
}
