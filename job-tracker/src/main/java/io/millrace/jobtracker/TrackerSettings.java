package io.millrace.jobtracker;

import io.millrace.jobtracker.domain.schedule.GenerationLimits;
import io.millrace.jobtracker.purge.RetentionConfig;
import io.millrace.jobtracker.quota.QuotaConfig;
import java.time.ZoneId;
import java.util.UUID;

/**
 * What a tracker does, whatever it stands on.
 *
 * @param trackerId identity of the process, new with every start
 * @param defaultZone zone of cron expressions that name none
 * @param maxNodeGroups node groups there may be
 * @param generation how far ahead triggers are written
 * @param service how node groups are served
 * @param retention how long what has ended is kept
 * @param quotas how much of the database may be filled
 */
public record TrackerSettings(
    String trackerId,
    ZoneId defaultZone,
    int maxNodeGroups,
    GenerationLimits generation,
    ServiceConfig service,
    RetentionConfig retention,
    QuotaConfig quotas) {

  public static final ZoneId DEFAULT_ZONE = ZoneId.of("UTC");
  public static final int DEFAULT_MAX_NODE_GROUPS = 1_000;

  /** A new identity, UTC, and defaults for the rest. */
  public static TrackerSettings byDefault() {
    return new TrackerSettings(
        UUID.randomUUID().toString(),
        DEFAULT_ZONE,
        DEFAULT_MAX_NODE_GROUPS,
        GenerationLimits.DEFAULT,
        ServiceConfig.DEFAULT,
        RetentionConfig.DEFAULT);
  }

  /** With the usual quotas. */
  public TrackerSettings(
      String trackerId,
      ZoneId defaultZone,
      int maxNodeGroups,
      GenerationLimits generation,
      ServiceConfig service,
      RetentionConfig retention) {
    this(
        trackerId, defaultZone, maxNodeGroups, generation, service, retention, QuotaConfig.DEFAULT);
  }

  public TrackerSettings {
    if (maxNodeGroups < 1 || maxNodeGroups > 100_000) {
      throw new IllegalArgumentException("there are 1 to 100000 node groups");
    }
    if (generation.misfireThreshold().compareTo(service.preloadPeriod()) <= 0) {
      throw new IllegalArgumentException(
          "the misfire threshold is longer than the preload period, or triggers are missed between"
              + " two loads");
    }
  }
}
