package io.millrace.console.api.job;

import io.millrace.api.Schedule;
import io.millrace.console.api.Languages;
import io.millrace.console.api.Paths;
import io.millrace.console.api.ScheduleWords;
import io.millrace.console.api.Timetable;
import io.millrace.console.http.Call;
import io.millrace.console.http.Problem.Kind;
import io.millrace.console.http.Resource;
import io.millrace.console.http.Route;
import io.millrace.console.http.Route.Trait;
import io.millrace.console.http.Scope;
import io.millrace.internal.codec.Flattened;
import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.domain.schedule.FireTimes;
import io.millrace.jobtracker.domain.schedule.ScheduleValidator;
import io.millrace.jobtracker.store.console.Role;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The route to preview a schedule. */
public record ScheduleRoutes(Timetable timetable, Clock clock) {
  private static final int USUAL_COUNT = 10;
  private static final int MOST = 200;

  /**
   * A schedule to preview, with the same field names as in a job.
   *
   * @param count number of fire times, 1 to 200; null means 10
   * @param language of the description: {@code en} or {@code zh}; null means English
   */
  public record SchedulePreview(
      @Flattened JobSchedule schedule, @Nullable Integer count, @Nullable String language) {}

  public List<Route> routes() {
    return List.of(
        Resource.of("Jobs", Paths.V1 + "/schedules/preview")
            .post("", "previewSchedule", "Describes a schedule and its fire times; stores nothing")
            .needs(Role.VIEW)
            .within(Scope.none("it reads and stores nothing"))
            .is(Trait.ONLY_LOOKS)
            .takes(SchedulePreview.class)
            .answers(FireList.class, this::preview));
  }

  private Object preview(Call call) {
    SchedulePreview wanted = call.body(SchedulePreview.class);
    int count = wanted.count() == null ? USUAL_COUNT : wanted.count();
    if (count < 1 || count > MOST) {
      throw Kind.REJECTED.because("count must be an integer from 1 to " + MOST + ", not " + count);
    }
    Schedule schedule = Schedules.of(wanted.schedule());
    Instant now = clock.now();
    new ScheduleValidator(timetable.defaultZone())
        .check(schedule, now)
        .ifPresent(
            wrong -> {
              throw Kind.REJECTED.because(wrong.reason().name(), wrong.message());
            });
    Locale language = language(wanted.language());
    boolean foreseeable = FireTimes.of(schedule, now, timetable.defaultZone()).isForeseeable();
    return new FireList(
        timetable.words(schedule, language),
        timetable.zoneOf(schedule),
        timetable.next(schedule, now, now, count, language),
        foreseeable ? null : ScheduleWords.of(language).note("chained"));
  }

  private static Locale language(@Nullable String tag) {
    Locale language = tag == null ? Locale.ENGLISH : Languages.of(tag);
    if (language == null) {
      throw Kind.REJECTED.because("the language " + Languages.ALLOWED);
    }
    return language;
  }
}
