package io.millrace.internal.codec;

import io.millrace.api.Schedule;
import io.millrace.internal.json.JsonReader;
import io.millrace.internal.json.JsonWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A schedule as one flat object: its kind, and the components of its record. The kind may come
 * after the other fields, so the fields of all kinds are read first.
 */
final class ScheduleForm implements JsonForm<Schedule> {
  private static final String ONCE = "once";
  private static final String CRON = "cron";
  private static final String REPEAT = "repeat";
  private static final String FIXED_DELAY = "fixedDelay";

  private final Map<Class<?>, Kind> kinds;
  private final RecordForm<Fields> fields;

  private record Kind(String name, RecordForm<Schedule> form) {}

  ScheduleForm(JsonForms forms) {
    kinds =
        Map.of(
            Schedule.Once.class, kind(ONCE, Schedule.Once.class, forms),
            Schedule.Cron.class, kind(CRON, Schedule.Cron.class, forms),
            Schedule.Repeat.class, kind(REPEAT, Schedule.Repeat.class, forms),
            Schedule.FixedDelay.class, kind(FIXED_DELAY, Schedule.FixedDelay.class, forms));
    fields = new RecordForm<>(Fields.class, forms);
  }

  @SuppressWarnings("unchecked") // the form writes only schedules of this class
  private static Kind kind(String name, Class<? extends Schedule> type, JsonForms forms) {
    return new Kind(name, (RecordForm<Schedule>) new RecordForm<>(type, forms));
  }

  @Override
  public void write(JsonWriter writer, Schedule schedule) {
    Kind kind = kinds.get(schedule.getClass());
    if (kind == null) {
      throw new IllegalArgumentException("unsupported kind of schedule: " + schedule.getClass());
    }
    writer.startObject();
    writer.writeName("kind");
    writer.writeString(kind.name());
    kind.form().writeFields(writer, schedule);
    writer.endObject();
  }

  @Override
  public Schedule read(JsonReader reader) {
    return fields.read(reader).toSchedule();
  }

  /** The fields of all kinds; the kind decides which of them are used. */
  private record Fields(
      String kind,
      @Nullable Instant at,
      @Nullable Duration after,
      @Nullable String expression,
      @Nullable ZoneId zone,
      @Nullable Duration interval,
      @Nullable Duration delay,
      @Nullable Instant start,
      @Nullable Long times,
      @Nullable Instant end) {

    Schedule toSchedule() {
      return switch (kind) {
        case ONCE -> once();
        case CRON -> new Schedule.Cron(required("expression", expression), zone, start, end);
        case REPEAT -> new Schedule.Repeat(required("interval", interval), start, times, end);
        case FIXED_DELAY -> new Schedule.FixedDelay(required("delay", delay), start, times, end);
        default -> throw new InvalidValueException("is not a known kind").inside("kind");
      };
    }

    private Schedule once() {
      if (at != null && after != null) {
        throw new InvalidValueException(
            "has both an instant and a delay, which exclude one another");
      }
      return new Schedule.Once(at, after);
    }

    private static <T> T required(String name, @Nullable T value) {
      if (value == null) {
        throw new InvalidValueException("is missing").inside(name);
      }
      return value;
    }
  }
}
