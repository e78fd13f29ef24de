package io.millrace.test;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Objects;

/** Configures and starts a {@link TestMillrace}. Not thread-safe. */
public final class TestMillraceBuilder {
  Instant start = TestMillrace.DEFAULT_START;
  ZoneId zone = ZoneId.of("UTC");
  int mostRuns = 20_000;
  boolean unknownHandlersAllowed;

  TestMillraceBuilder() {}

  /** Sets what the clock shows at the start. */
  public TestMillraceBuilder startAt(Instant instant) {
    this.start = Instant.ofEpochMilli(instant.toEpochMilli());
    return this;
  }

  /** Sets what the clock shows at the start, and the {@link #zone}. */
  public TestMillraceBuilder startAt(ZonedDateTime time) {
    return startAt(time.toInstant()).zone(time.getZone());
  }

  /**
   * Sets the zone of cron expressions that name none, and of {@link TestMillrace#now}. Default:
   * UTC.
   */
  public TestMillraceBuilder zone(ZoneId newZone) {
    this.zone = Objects.requireNonNull(newZone, "zone");
    return this;
  }

  /**
   * Sets how often one call that moves the clock may call handlers before it gives up. Default:
   * 20,000, which takes about half a minute.
   */
  public TestMillraceBuilder mostRuns(int runs) {
    this.mostRuns = runs;
    return this;
  }

  /**
   * Lets jobs whose handler no worker knows be retried, as in production. By default the call that
   * moves the clock fails, because such a job is nearly always a mistake of the test.
   */
  public TestMillraceBuilder allowUnknownHandlers() {
    this.unknownHandlersAllowed = true;
    return this;
  }

  /** Starts the tracker. */
  public TestMillrace build() {
    return new TestMillrace(this);
  }
}
