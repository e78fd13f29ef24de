package io.millrace.console.api;

import io.millrace.console.http.Param;
import io.millrace.console.http.ParamForm;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The languages of texts in answers. */
public final class Languages {
  public static final String ALLOWED = "must be en or zh";
  private static final Map<String, Locale> BY_TAG =
      Map.of("en", Locale.ENGLISH, "zh", Locale.CHINESE);
  public static final Param<Locale> LANGUAGE =
      Param.query(
          "language",
          ParamForm.text(null, List.of("en", "zh"), ALLOWED, Languages::of),
          Locale.ENGLISH,
          "Language of texts: en or zh; default: English");

  private Languages() {}

  /** The language of a tag; null if it is not supported. */
  public static @Nullable Locale of(String tag) {
    return BY_TAG.get(tag);
  }
}
