package io.millrace.benchmarks.micro;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import io.millrace.jobtracker.domain.cron.CronExpression;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the next fire times per second of one expression, computed by Millrace and by the peers.
 * Each engine steps through the fire times of the same ten years, in the type that it returns, and
 * then starts again. The engines need not agree on the two days of a year on which daylight saving
 * time begins and ends.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@SuppressWarnings("NullAway.Init") // JMH calls the method of @Setup first
public class CronBenchmark {
  static final String EVERY_FIVE_SECONDS = "0/5 * * * * ?";
  static final String EVERY_FIVE_MINUTES = "0 0/5 * * * ?";
  static final String OFFICE_HOURS = "0 0/15 8-18 ? * MON-FRI";
  static final String NIGHTLY_ON_WEEKDAYS = "0 30 3 ? * MON-FRI";
  static final String LAST_DAY_OF_MONTH = "0 0 12 L * ?";
  static final String LEAP_DAY = "0 0 9 29 2 ?";

  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant END = Instant.parse("2036-01-01T00:00:00Z");

  @Param({
    EVERY_FIVE_SECONDS,
    EVERY_FIVE_MINUTES,
    OFFICE_HOURS,
    NIGHTLY_ON_WEEKDAYS,
    LAST_DAY_OF_MONTH,
    LEAP_DAY
  })
  public String expression;

  @Param({"UTC", "America/New_York"})
  public String zone;

  private ZoneId zoneId;
  private ZonedDateTime begin;
  private ZonedDateTime end;
  private CronExpression millrace;
  private org.springframework.scheduling.support.CronExpression spring;
  private ExecutionTime cronUtils;
  private Instant instant;
  private ZonedDateTime time;

  @Setup
  public void parse() {
    zoneId = ZoneId.of(zone);
    begin = BEGIN.atZone(zoneId);
    end = END.atZone(zoneId);
    millrace = CronExpression.parse(expression);
    spring = org.springframework.scheduling.support.CronExpression.parse(expression);
    cronUtils =
        ExecutionTime.forCron(
            new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.QUARTZ))
                .parse(expression));
    instant = BEGIN;
    time = begin;
  }

  @Benchmark
  public Instant millrace() {
    Instant next = millrace.nextAfter(instant, zoneId).orElseThrow();
    instant = next.isBefore(END) ? next : BEGIN;
    return next;
  }

  @Benchmark
  public ZonedDateTime spring() {
    return step(Objects.requireNonNull(spring.next(time)));
  }

  @Benchmark
  public ZonedDateTime cronUtils() {
    return step(cronUtils.nextExecution(time).orElseThrow());
  }

  private ZonedDateTime step(ZonedDateTime next) {
    time = next.isBefore(end) ? next : begin;
    return next;
  }
}
