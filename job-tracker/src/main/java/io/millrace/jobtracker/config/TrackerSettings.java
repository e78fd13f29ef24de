package io.millrace.jobtracker.config;

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
 * @param nodeGroups how many there may be, and how long if nothing uses them
 * @param generation how far ahead triggers are written
 * @param service how node groups are served
 * @param retention how long what has ended is kept
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

  /** The same, with its node groups served in another way. */
  public TrackerSettings serving(ServiceConfig others) {
    return new TrackerSettings(
        trackerId, defaultZone, nodeGroups, generation, others, retention, quotas);
  }

  /** With the usual quotas, and bounds of node groups but for their number. */
  public TrackerSettings(
      String trackerId,
      ZoneId defaultZone,
      int maxNodeGroups,
      GenerationLimits generation,
      ServiceConfig service,
      RetentionConfig retention) {
    this(
        trackerId,
        defaultZone,
        NodeGroupConfig.atMost(maxNodeGroups),
        generation,
        service,
        retention,
        QuotaConfig.DEFAULT);
  }

  public TrackerSettings {
    if (generation.misfireThreshold().compareTo(service.preloadPeriod()) <= 0) {
      throw new IllegalArgumentException(
          "the misfire threshold is longer than the preload period, or triggers are missed between"
              + " two loads");
    }
  }
}
