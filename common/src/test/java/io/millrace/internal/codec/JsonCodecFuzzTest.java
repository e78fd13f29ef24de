package io.millrace.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.alibaba.fastjson2.JSON;
import io.millrace.internal.protocol.RequestType;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Damages good messages and reads them. Whatever comes of it, the codec throws nothing but its own
 * exception: another one would be a stack trace in the log for each frame of a stranger.
 */
class JsonCodecFuzzTest {
  private static final int TRIES = 15_000;
  private static final int MANY_TRIES = 60_000;
  private static final long SEED = 20_261_122;

  private static final Pattern TOKEN =
      Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*\"|-?[0-9][0-9.eE+-]*|true|false|null|[\\[\\]{},:]");

  /** What sits at the borders of what a reader of numbers, texts and times takes. */
  private static final String[] NASTY = {
    "1e5",
    "1e99",
    "1e999",
    "1e9999",
    "1e99999",
    "-1e99999",
    "1e-99999",
    "0e999999999",
    "1e0",
    "1.0",
    "1.5",
    "-0",
    "0.0",
    "-0.0e-0",
    "12345678901234567890123456789012",
    "9223372036854775808",
    "-9223372036854775809",
    "2147483648",
    "0.1e1",
    "10e-1",
    "1E+999",
    "1E-999",
    "\"1e99999\"",
    "\"NaN\"",
    "\"\"",
    "\" \"",
    "\"\\ud800\"",
    "\"\\udc00\\ud800\"",
    "\"\\u0000\"",
    "\"UNKNOWN\"",
    "\"+999999999-12-31T23:59:59Z\"",
    "\"-1000000000-01-01T00:00:00Z\"",
    "\"2026-13-01T00:00:00Z\"",
    "\"2026-01-01T24:00:00Z\"",
    "\"0000-00-00T00:00:00Z\"",
    "\"PT9223372036854775807S\"",
    "\"PT9223372036854775808S\"",
    "\"P99999999999D\"",
    "\"PT-0.5S\"",
    "\"PT0.9999999999S\"",
    "\"+18:01\"",
    "\"GMT+99\"",
    "\"Zone/None\"",
    "\"UTC+\"",
    "[]",
    "{}",
    "[[]]",
    "[null]",
    "{\"\":null}",
    "{\"a\":{\"a\":[1e999]}}",
    "null",
    "true",
    "false",
    "[1,\"a\"]"
  };

  @Test
  void nothingButTheCodecsOwnExceptionComesOut() {
    JsonCodec codec = new JsonCodec();
    List<String> escapes = escapes(codec::decodeText, TRIES);

    assertThat(escapes).isEmpty();
  }

  @Test
  void sameForNamesThatAreRefused() {
    JsonCodec codec = new JsonCodec(UnknownNames.REFUSED);

    assertThat(escapes(codec::decodeText, TRIES)).isEmpty();
  }

  @Test
  @Tag("long")
  void nothingButTheCodecsOwnExceptionComesOutOfManyTries() {
    assertThat(escapes(new JsonCodec()::decodeText, MANY_TRIES)).isEmpty();
    assertThat(escapes(new JsonCodec(UnknownNames.REFUSED)::decodeText, MANY_TRIES)).isEmpty();
  }

  /** Checks the test itself: a parser whose exceptions are not translated is found by it. */
  @Test
  void exceptionsOfAnUnguardedParserAreFound() {
    assertThat(escapes((json, type) -> JSON.parse(json), TRIES))
        .anySatisfy(escape -> assertThat(escape).contains("JSONException"));
  }

  private static List<String> escapes(BiConsumer<String, Class<?>> decode, int tries) {
    Random random = new Random(SEED);
    List<String> escapes = new ArrayList<>();
    JsonCodec codec = new JsonCodec();
    RequestType[] types = RequestType.values();
    int refused = 0;
    for (int i = 0; i < tries && escapes.size() < 10; i++) {
      RequestType type = types[random.nextInt(types.length)];
      Class<?> record = random.nextBoolean() ? type.requestClass() : type.replyClass();
      String good = codec.encodeText(new SampleValues(random.nextLong()).of(record));
      String bad = damaged(good, random);
      try {
        decode.accept(bad, record);
      } catch (CodecException e) {
        refused++;
      } catch (RuntimeException | Error e) {
        escapes.add(e + " at " + record.getSimpleName() + ": " + bad);
      }
    }
    if (escapes.isEmpty() && (refused < tries / 4 || refused > tries * 99 / 100)) {
      fail("the damage is too small or too large: " + refused + " of " + tries + " refused");
    }
    return escapes;
  }

  private static String damaged(String good, Random random) {
    String text = good;
    for (int damages = 1 + random.nextInt(3); damages > 0; damages--) {
      text = random.nextInt(4) == 0 ? otherCharacter(text, random) : otherToken(text, random);
    }
    return text;
  }

  private static String otherCharacter(String text, Random random) {
    if (text.isEmpty()) {
      return text;
    }
    int at = random.nextInt(text.length());
    char[] some = {
      '"', '\\', '{', '}', '[', ']', ',', ':', 'e', 'E', '9', '-', '+', '.', '\0', 'n'
    };
    return switch (random.nextInt(3)) {
      case 0 -> text.substring(0, at) + text.substring(at + 1);
      case 1 -> text.substring(0, at) + some[random.nextInt(some.length)] + text.substring(at);
      default -> text.substring(0, at) + some[random.nextInt(some.length)] + text.substring(at + 1);
    };
  }

  private static String otherToken(String text, Random random) {
    List<int[]> tokens = new ArrayList<>();
    Matcher matcher = TOKEN.matcher(text);
    while (matcher.find()) {
      tokens.add(new int[] {matcher.start(), matcher.end()});
    }
    if (tokens.isEmpty()) {
      return text;
    }
    int[] chosen = tokens.get(random.nextInt(tokens.size()));
    return text.substring(0, chosen[0])
        + NASTY[random.nextInt(NASTY.length)]
        + text.substring(chosen[1]);
  }
}
