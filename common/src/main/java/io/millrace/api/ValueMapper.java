package io.millrace.api;

import java.lang.reflect.Type;

/**
 * Turns values of an application into JSON and back: typed parameters, results, and what a job
 * keeps between its attempts. Implementations are thread-safe. Client and worker of a job use
 * mappers that understand one another.
 */
public interface ValueMapper {

  /**
   * Returns the mapper that is used unless another one is set. It needs no library and no
   * annotation, and takes
   *
   * <ul>
   *   <li>records, also generic and nested ones. A component may be null only if it is annotated
   *       {@code @Nullable} (of any package, if the annotation is kept at run time); such a
   *       component, or an {@code Optional} one, has no field if it is null or empty
   *   <li>{@code List}, {@code Set}, {@code Collection}, and {@code Map} with keys of type {@code
   *       String}; no element is null, and what is read cannot be modified
   *   <li>enums by name, {@code String}, {@code char}, {@code boolean}, all primitive numbers,
   *       {@code BigDecimal}, {@code BigInteger}, {@code UUID}, and of {@code java.time} {@code
   *       Instant}, {@code LocalDate}, {@code LocalTime}, {@code LocalDateTime}, {@code
   *       OffsetDateTime}, {@code ZonedDateTime}, {@code YearMonth}, {@code Duration}, {@code
   *       Period}, {@code ZoneId} and {@code ZoneOffset}, in their ISO form
   *   <li>{@code Object} as any of these; what is read then is text, {@code BigDecimal}, {@code
   *       Boolean}, a list or a map
   * </ul>
   *
   * <p>Another class is refused, by its name. Reading is strict: no text for a number, no missing
   * component, no number out of range, no unknown constant. A field that the record does not have
   * is passed over, so that a newer client can add one before its workers are replaced. A value is
   * nested at most 32 deep and has at most 1 MiB of JSON.
   *
   * <p>Messages begin with the path of the fault: {@code lines[2].count: is text and not a whole
   * number}.
   */
  static ValueMapper standard() {
    return StandardValueMapper.INSTANCE;
  }

  /**
   * Returns the value as JSON.
   *
   * @throws ValueException if the value has no JSON form; the message says where and why
   */
  String toJson(Object value);

  /**
   * Returns the value that this JSON describes.
   *
   * @param type the class, or the generic type of a list or map
   * @throws ValueException if the text is not JSON or does not fit the type; the message says where
   *     and why
   */
  Object fromJson(String json, Type type);
}
