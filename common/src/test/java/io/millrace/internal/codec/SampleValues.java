package io.millrace.internal.codec;

import io.millrace.api.Schedule;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Makes any record of the protocol with random components, by reflection alone. */
public final class SampleValues {
  private static final String[] TEXTS = {
    "",
    "a",
    "order-42",
    "日本語",
    "\ud83d\ude00",
    "\"\\/\b\f\n\r\t\u0000\u2028",
    "null",
    "$ref",
    "@type"
  };
  private static final String[] ZONES = {"UTC", "Asia/Shanghai", "Pacific/Chatham", "+05:30"};

  private final Random random;

  public SampleValues(long seed) {
    random = new Random(seed);
  }

  /** A value of this type; components that may be null sometimes are. */
  public <T> T of(Class<T> type) {
    return type.cast(value(type));
  }

  private Object value(Type type) {
    if (type instanceof ParameterizedType generic) {
      return collection(generic);
    }
    Class<?> raw = (Class<?>) type;
    if (raw == Schedule.class) {
      Class<?>[] kinds = Schedule.class.getPermittedSubclasses();
      return record(kinds[random.nextInt(kinds.length)]);
    }
    if (raw.isEnum()) {
      return raw.getEnumConstants()[random.nextInt(raw.getEnumConstants().length)];
    }
    return raw.isRecord() ? record(raw) : scalar(raw);
  }

  private Object scalar(Class<?> type) {
    if (type == String.class) {
      return text();
    } else if (type == int.class || type == Integer.class) {
      return random.nextInt();
    } else if (type == long.class || type == Long.class) {
      return random.nextLong();
    } else if (type == double.class) {
      return random.nextGaussian() * Math.pow(10, random.nextInt(20));
    } else if (type == boolean.class || type == Boolean.class) {
      return random.nextBoolean();
    } else if (type == Instant.class) {
      return Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000));
    } else if (type == Duration.class) {
      return Duration.ofSeconds(random.nextInt(), random.nextInt(1_000_000_000));
    } else if (type == ZoneId.class) {
      return ZoneId.of(ZONES[random.nextInt(ZONES.length)]);
    }
    throw new AssertionError("no sample of " + type);
  }

  private String text() {
    return TEXTS[random.nextInt(TEXTS.length)] + TEXTS[random.nextInt(TEXTS.length)];
  }

  private Object collection(ParameterizedType type) {
    int size = random.nextInt(4);
    if (type.getRawType() == Map.class) {
      Map<String, String> map = new LinkedHashMap<>();
      for (int i = 0; i < size; i++) {
        map.put(text(), text());
      }
      return map;
    }
    List<Object> list = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      list.add(value(type.getActualTypeArguments()[0]));
    }
    return list;
  }

  private Object record(Class<?> type) {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    @Nullable Object[] values = new Object[components.length];
    for (int i = 0; i < components.length; i++) {
      types[i] = components[i].getType();
      boolean nullable = components[i].getAnnotatedType().isAnnotationPresent(Nullable.class);
      values[i] = nullable && random.nextBoolean() ? null : value(components[i].getGenericType());
    }
    return create(type, types, values);
  }

  private Object create(Class<?> type, Class<?>[] types, @Nullable Object[] values) {
    try {
      Constructor<?> canonical = type.getDeclaredConstructor(types);
      canonical.setAccessible(true);
      return canonical.newInstance(values);
    } catch (InvocationTargetException e) {
      return record(type);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }
}
