package io.millrace.spring.internal.config;

import io.millrace.tasktracker.RunnerThreads;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of Millrace. A name that is none of them stops the start.
 *
 * @param enabled Whether the application has a client and a worker at all.
 * @param trackers Addresses of trackers, as host:port. One that answers is enough, because it
 *     reports the others.
 * @param token Token of clients and workers, unless they have one of their own.
 * @param tokenFile File with this token.
 * @param tls Encryption of the connections.
 * @param client The client.
 * @param worker The worker.
 * @param declarations The declared recurring jobs.
 * @param enqueue Jobs that are enqueued in transactions of the application.
 * @param health The health indicator.
 * @param tracker A tracker in the application.
 */
@ConfigurationProperties(prefix = "millrace", ignoreUnknownFields = false)
public record MillraceProperties(
    @DefaultValue("true") boolean enabled,
    @DefaultValue("127.0.0.1:35001") List<String> trackers,
    @Nullable String token,
    @Nullable Path tokenFile,
    @DefaultValue Tls tls,
    @DefaultValue Client client,
    @DefaultValue Worker worker,
    @DefaultValue Declarations declarations,
    @DefaultValue Enqueue enqueue,
    @DefaultValue Health health,
    @DefaultValue Tracker tracker) {

  /**
   * Encryption of the connections.
   *
   * @param enabled Whether connections are encrypted; a bundle or a file of certificates enables it
   *     too.
   * @param bundle Name of the SSL bundle whose trust store has the trusted authorities.
   * @param certificates PEM file with the trusted authorities; those of the JVM by default.
   */
  public record Tls(
      @DefaultValue("false") boolean enabled,
      @Nullable String bundle,
      @Nullable Path certificates) {}

  /**
   * The client.
   *
   * @param enabled Whether the application has a client.
   * @param token Token of clients.
   * @param tokenFile File with the token of clients.
   * @param group Client group, which receives the results of jobs with feedback; the name of the
   *     application by default.
   * @param nodeName Readable name of this process; the name of the application by default.
   * @param requestTimeout How long a call may take, resends included.
   * @param connectTimeout How long one attempt to connect may take.
   * @param closeTimeout How long the end of the application waits for submits under way.
   * @param maxJobsInFlight How many jobs may be submitted and not yet answered.
   * @param outbox Directory of the outbox, which keeps submits and cancels that no tracker answers.
   * @param outboxPatience How long no tracker may be connected before they are kept there.
   */
  public record Client(
      @DefaultValue("true") boolean enabled,
      @Nullable String token,
      @Nullable Path tokenFile,
      @Nullable String group,
      @Nullable String nodeName,
      @DefaultValue("30s") Duration requestTimeout,
      @DefaultValue("5s") Duration connectTimeout,
      @DefaultValue("10s") Duration closeTimeout,
      @DefaultValue("10000") int maxJobsInFlight,
      @Nullable Path outbox,
      @DefaultValue("1s") Duration outboxPatience) {}

  /**
   * The worker.
   *
   * @param enabled Whether the application runs jobs.
   * @param token Token of workers.
   * @param tokenFile File with the token of workers.
   * @param nodeGroup Node group whose jobs the application runs; the name of the application by
   *     default.
   * @param id Identity of the worker; random by default, or the one in the outbox.
   * @param slots How many jobs run at once.
   * @param labels What jobs may require of the worker, such as gpu; none by default.
   * @param prefetch How many jobs the worker may hold that wait for a slot.
   * @param pullInterval Time between two pulls if no other event causes one.
   * @param shutdownGrace How long jobs may continue when the application stops; by default 15 s
   *     less than the time that Spring Boot has for a phase of the shutdown.
   * @param interruptGrace How long a job may take to end after an interrupt.
   * @param maxStuckInvocations How many jobs that ignore their interrupt keep a thread, but no
   *     slot.
   * @param threads Threads that run jobs; virtual ones by default where Spring Boot has them on.
   * @param interruptWhenLost Whether a job is interrupted when the worker has lost its lease.
   * @param outbox Directory of the outbox, which keeps results that no tracker has acknowledged.
   */
  public record Worker(
      @DefaultValue("true") boolean enabled,
      @Nullable String token,
      @Nullable Path tokenFile,
      @Nullable String nodeGroup,
      @Nullable String id,
      @DefaultValue("64") int slots,
      @DefaultValue List<String> labels,
      @DefaultValue("256") int prefetch,
      @DefaultValue("1s") Duration pullInterval,
      @Nullable Duration shutdownGrace,
      @DefaultValue("5s") Duration interruptGrace,
      @DefaultValue("16") int maxStuckInvocations,
      @Nullable RunnerThreads threads,
      @DefaultValue("true") boolean interruptWhenLost,
      @Nullable Path outbox) {}

  /**
   * The declared recurring jobs.
   *
   * @param enabled Whether the application declares its recurring jobs.
   * @param owner Name under which the jobs are declared; the name of the application by default.
   * @param revision Number that rises with every version of the application; by default the time of
   *     its build, in seconds, if it has a build-info.
   * @param retire Whether jobs that the application no longer declares end.
   * @param adopt Whether the application takes over jobs of the same ids that are not its own.
   */
  public record Declarations(
      @DefaultValue("true") boolean enabled,
      @Nullable String owner,
      @Nullable Long revision,
      @DefaultValue("true") boolean retire,
      @DefaultValue("false") boolean adopt) {}

  /**
   * Jobs that are enqueued in transactions of the application.
   *
   * @param enabled Whether the application enqueues jobs in its transactions; its database needs
   *     the tables for them.
   * @param tablePrefix What the names of the tables begin with.
   * @param relay Whether this process sends what was enqueued; at least one has to.
   */
  public record Enqueue(
      @DefaultValue("false") boolean enabled,
      @DefaultValue("millrace_") String tablePrefix,
      @DefaultValue("true") boolean relay) {}

  /**
   * The health indicator.
   *
   * @param timeout How long it waits for the answer of a tracker, at most one second.
   */
  public record Health(@DefaultValue("1s") Duration timeout) {}

  /**
   * A tracker in the application.
   *
   * @param embedded Whether a tracker runs in the application, to which its client and its worker
   *     connect.
   * @param store Database of the tracker.
   * @param console Console of the tracker.
   * @param settings Further keys of the tracker's configuration file, such as rpc.host.
   */
  public record Tracker(
      @DefaultValue("false") boolean embedded,
      @DefaultValue Store store,
      @DefaultValue Console console,
      @DefaultValue Map<String, String> settings) {}

  /**
   * Database of the tracker.
   *
   * @param url URL of a database on MySQL, MariaDB or H2; that of the application's data source by
   *     default, or on H2 a database of its own beside it.
   * @param username User of the database; by default that of the application's data source, if the
   *     URL is.
   * @param password Password of this user.
   */
  public record Store(@Nullable String url, @Nullable String username, @Nullable String password) {}

  /**
   * Console of the tracker.
   *
   * @param enabled Whether the tracker has a console; it needs millrace-console on the class path.
   */
  public record Console(@DefaultValue("false") boolean enabled) {}
}
