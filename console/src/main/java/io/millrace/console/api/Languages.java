package io.millrace.console.api;

import io.millrace.console.http.Param;
import io.millrace.console.http.ParamForm;
import java.util.List;
import java.util.Locale;

/** The languages of texts in answers. */
public final class Languages {
  private static final ParamForm<Locale> FORM =
      new ParamForm<>("string", null, List.of("en", "zh"), null, null, Languages::of);

  public static final Param<Locale> LANGUAGE =
      Param.query(
          "language", FORM, Locale.ENGLISH, "Language of texts: en or zh; default: English");

  private Languages() {}

  /**
   * The language of a tag.
   *
   * @throws IllegalArgumentException if the language is not supported
   */
  public static Locale of(String tag) {
    return switch (tag) {
      case "en" -> Locale.ENGLISH;
      case "zh" -> Locale.CHINESE;
      default -> throw new IllegalArgumentException("must be en or zh");
    };
  }
}
