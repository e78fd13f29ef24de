package io.millrace.jobtracker.config;

import io.millrace.internal.config.Check;
import io.millrace.jobtracker.domain.schedule.GenerationLimits;
import io.millrace.jobtracker.purge.RetentionConfig;
import io.millrace.jobtracker.quota.QuotaConfig;
import java.time.ZoneId;
import java.util.UUID;

/**
 * The settings of a tracker that do not depend on its runtime.
 *
 * @param trackerId the identity of the process; by default, new with every start
 * @param defaultZone the time zone of cron expressions that name none
 * @param nodeGroups the highest number of node groups, and how long unused ones are kept
 * @param generation how far ahead triggers are written
 * @param service how node groups are served
 * @param retention how long the ledger, job logs, feedback, the audit and counts are kept
 * @param quotas how much of the database may be filled
 */
public record TrackerSettings(
    String trackerId,
    ZoneId defaultZone,
    NodeGroupConfig nodeGroups,
    GenerationLimits generation,
    ServiceConfig service,
    RetentionConfig retention,
    QuotaConfig quotas) {

  public static final ZoneId DEFAULT_ZONE = ZoneId.of("UTC");

  /** A new identity, UTC, and defaults for the rest. */
  public static TrackerSettings byDefault() {
    return new TrackerSettings(
        UUID.randomUUID().toString(),
        DEFAULT_ZONE,
        NodeGroupConfig.DEFAULT,
        GenerationLimits.DEFAULT,
        ServiceConfig.DEFAULT,
        RetentionConfig.DEFAULT,
        QuotaConfig.DEFAULT);
  }

  /** The same settings with another service configuration. */
  public TrackerSettings serving(ServiceConfig others) {
    return new TrackerSettings(
        trackerId, defaultZone, nodeGroups, generation, others, retention, quotas);
  }

  public TrackerSettings {
    Check.that(
        generation.misfireThreshold().compareTo(service.preload().period()) > 0,
        "the misfire threshold must be longer than the preload period, or triggers are"
            + " missed between two loads");
  }
}
