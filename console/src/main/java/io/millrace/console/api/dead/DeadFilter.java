package io.millrace.console.api.dead;

import io.millrace.console.api.Times;
import io.millrace.console.http.Call;
import io.millrace.console.http.Param;
import io.millrace.console.http.ParamForm;
import io.millrace.console.http.Problem.Kind;
import io.millrace.jobtracker.domain.outcome.DeadState;
import io.millrace.jobtracker.store.DeadStore;
import io.millrace.jobtracker.store.DeadStore.Place;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads filters for dead triggers from requests, and converts places between pages and texts. */
final class DeadFilter {

  /** The most rows that a search by task id examines, however small the limit. */
  static final int LOOK_AT = 5_000;

  static final Param<String> GROUP =
      Param.query("nodeGroup", ParamForm.text(64), "Only those of this node group");
  static final Param<String> TASK =
      Param.query("taskId", ParamForm.text(128), "Only those whose task id begins with this");
  static final Param<DeadState> STATE =
      Param.query("state", ParamForm.choice(DeadState.class), "Only those in this state");
  static final Param<Instant> FROM =
      Param.query("from", ParamForm.instant(), "Only those that died at this instant or later");
  static final Param<Instant> TO =
      Param.query("to", ParamForm.instant(), "Only those that died before this instant");

  static final Param<Long> LIKE =
      Param.query(
          "like",
          ParamForm.id(),
          "Only those that died of the same as this one: of the same cause, with the same first"
              + " line of the message; a page examines a limited number");

  private static final Pattern PLACE = Pattern.compile("(\\d{1,18})-(\\d{1,18})");

  private DeadFilter() {}

  static DeadStore.Query of(Call call) {
    return of(call, call.find(STATE).orElse(null));
  }

  /** The filter of a request, for those in one state; null for any. */
  static DeadStore.Query of(Call call, @Nullable DeadState state) {
    return query(
        call.find(GROUP).orElse(null),
        call.find(TASK).orElse(null),
        state,
        call.find(FROM).orElse(null),
        call.find(TO).orElse(null));
  }

  static DeadStore.Query query(
      @Nullable String group,
      @Nullable String task,
      @Nullable DeadState state,
      @Nullable Instant from,
      @Nullable Instant to) {
    return new DeadStore.Query(
        group,
        task,
        state,
        from == null ? Long.MIN_VALUE : Times.clampedMillis(from),
        to == null ? Long.MAX_VALUE : Times.clampedMillis(to));
  }

  static @Nullable Place read(@Nullable String text) {
    if (text == null) {
      return null;
    }
    Matcher parts = PLACE.matcher(text);
    if (!parts.matches()) {
      throw Kind.BAD_REQUEST.because("after must be the 'next' of a page");
    }
    return new Place(Long.parseLong(parts.group(1)), Long.parseLong(parts.group(2)));
  }

  static @Nullable String write(@Nullable Place place) {
    return place == null ? null : place.diedAt() + "-" + place.id();
  }
}
