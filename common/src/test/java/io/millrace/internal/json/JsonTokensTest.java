package io.millrace.internal.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.alibaba.fastjson2.JSON;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTokensTest {

  @Property
  void anotherReaderReadsTheSameStrings(@ForAll String text) {
    String json = written(text);

    assertThat(json).isEqualTo(JSON.toJSONString(wellFormed(text)));
    assertThat(JSON.parse(json)).isEqualTo(wellFormed(text));
    assertThat(JsonReader.of(json).readString()).isEqualTo(wellFormed(text));
    assertThat(bytesOf(text)).isEqualTo(json.getBytes(StandardCharsets.UTF_8));
  }

  @Property
  void losslessWriterKeepsAnyString(@ForAll String text) {
    JsonWriter writer = JsonWriter.lossless();
    writer.writeString(text);
    String json = writer.toString();

    assertThat(JsonReader.of(json).readString()).isEqualTo(text);
    assertThat(writer.chars()).isEqualTo(json.length());
    if (text.equals(wellFormed(text))) {
      assertThat(json).isEqualTo(written(text));
    }
  }

  @Test
  void halfASurrogatePairIsEscapedOrReplaced() {
    JsonWriter writer = JsonWriter.lossless();
    writer.writeString("\uD83D\uDE00\uDE00 \uD83Dé");

    assertThat(writer).hasToString("\"\uD83D\uDE00\\ude00 \\ud83dé\"");
    assertThat(written("\uD83D\uDE00\uDE00 \uD83Dé")).isEqualTo("\"\uD83D\uDE00? ?é\"");
  }

  @Test
  void numbersComeAsTheyStandInTheText() {
    JsonWriter writer = new JsonWriter();
    writer.writeNumber("-1.50E+900");

    assertThat(JsonReader.of(writer + " ").readNumber()).isEqualTo("-1.50E+900");
    String long128 = "7".repeat(128);
    assertThat(JsonReader.of(long128, 128).readNumber()).isEqualTo(long128);
  }

  @Property
  void doublesComeBack(@ForAll @DoubleRange(min = -1e300, max = 1e300) double number) {
    JsonWriter writer = new JsonWriter();
    writer.writeDouble(number);

    assertThat(JsonReader.of(writer.toString()).readDouble()).isEqualTo(number);
    assertThat(JSON.parseObject(writer.toString(), Double.class)).isEqualTo(number);
  }

  @Property
  void wholeNumbersComeBack(@ForAll long number, @ForAll int small) {
    JsonWriter writer = new JsonWriter();
    writer.writeInt(small);

    assertThat(JsonReader.of(" " + number + " ").readWholeNumber()).isEqualTo(number);
    assertThat(JsonReader.of(writer.toString()).readWholeNumber()).isEqualTo(small);
  }

  @ParameterizedTest
  @CsvSource({
    "0,0",
    "-0,0",
    "9223372036854775807,9223372036854775807",
    "-9223372036854775808,-9223372036854775808",
    "9223372036854775808,",
    "-9223372036854775809,",
    "12345678901234567890123456789012,",
    "1.0,",
    "1e0,",
    "1E9,"
  })
  void wholeNumberHasNeitherFractionNorExponent(String number, Long expected) {
    JsonReader reader = JsonReader.of(number);

    assertThat(reader.isNumber()).isTrue();
    assertThat(reader.readWholeNumber()).isEqualTo(expected);
  }

  @Test
  void tooLargeANumberIsInfinite() {
    assertThat(JsonReader.of("-1e999").readDouble()).isEqualTo(Double.NEGATIVE_INFINITY);
    assertThat(JsonReader.of("1E-999").readDouble()).isZero();
  }

  @Test
  void commasStandBetweenValuesAndNowhereElse() {
    JsonWriter writer = new JsonWriter();
    writer.startObject();
    writer.writeName("a");
    writer.startArray();
    writer.endArray();
    writer.writeName("b");
    writer.startArray();
    writer.startObject();
    writer.endObject();
    writer.writeInt(-1);
    writer.writeDouble(0.5);
    writer.writeBoolean(true);
    writer.writeString("c");
    writer.endArray();
    writer.writeName("d");
    writer.writeBoolean(false);
    writer.endObject();

    assertThat(writer).hasToString("{\"a\":[],\"b\":[{},-1,0.5,true,\"c\"],\"d\":false}");
  }

  @Test
  void spacesMayStandAroundEachToken() {
    JsonReader reader =
        JsonReader.of(
            " \t{ \"a\" : [ 1 , \"x\" , { } , [ ] , true , null , 1.5 ] ,\r\n \"b\" : false } ");

    assertThat(reader.nextIfObjectStart()).isTrue();
    assertThat(reader.readFieldName()).isEqualTo("a");
    assertThat(reader.nextIfArrayStart()).isTrue();
    assertThat(reader.readWholeNumber()).isEqualTo(1);
    assertThat(reader.readString()).isEqualTo("x");
    assertThat(reader.nextIfObjectStart()).isTrue();
    assertThat(reader.nextIfObjectEnd()).isTrue();
    assertThat(reader.nextIfArrayStart()).isTrue();
    assertThat(reader.nextIfArrayEnd()).isTrue();
    assertThat(reader.isBool()).isTrue();
    assertThat(reader.readBoolean()).isTrue();
    assertThat(reader.isNull()).isTrue();
    assertThat(reader.nextIfNull()).isTrue();
    assertThat(reader.readDouble()).isEqualTo(1.5);
    assertThat(reader.nextIfArrayEnd()).isTrue();
    assertThat(reader.readFieldName()).isEqualTo("b");
    assertThat(reader.readBoolean()).isFalse();
    assertThat(reader.nextIfObjectEnd()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1",
        "-1.5e+10",
        "true",
        "null",
        "\"\"",
        "\"a,]}\\\"\\\\\"",
        "{}",
        "[]",
        "{\"a\":[{\"b\":\"}\"},[\"]\",{}],1, 2 ]}",
        "[[[ ] , { } ], \"\\\\\" ]",
        " [ 1 , { \"x\" : null } ] "
      })
  void skippedValueIsWhole(String value) {
    JsonReader reader = JsonReader.of("[" + value + ",\"next\" , " + value + " ]");

    assertThat(reader.nextIfArrayStart()).isTrue();
    reader.skipValue();
    assertThat(reader.readString()).isEqualTo("next");
    reader.skipValue();
    assertThat(reader.nextIfArrayEnd()).isTrue();
  }

  @Test
  void valuesOfOtherKindsAreFoundOut() {
    for (String json : List.of("1", "true", "null", "\"a\"", "[]", "{}")) {
      JsonReader reader = JsonReader.of(json);

      assertThat(
              List.of(
                  reader.isNumber(),
                  reader.isBool(),
                  reader.isNull(),
                  reader.isString(),
                  reader.nextIfArrayStart(),
                  json.equals("{}") && reader.nextIfObjectStart()))
          .containsOnlyOnce(true);
    }
  }

  @Test
  void textThatIsNotJsonIsNotBegun() {
    assertThatThrownBy(() -> JsonReader.of("[1,]"))
        .isInstanceOf(MalformedJsonException.class)
        .hasMessage("expected a value at character 3");
  }

  private static String written(String text) {
    return writer(text).toString();
  }

  private static byte[] bytesOf(String text) {
    return writer(text).toBytes();
  }

  private static JsonWriter writer(String text) {
    JsonWriter writer = new JsonWriter();
    writer.writeString(text);
    return writer;
  }

  /** A lone half of a surrogate pair is not text, and no UTF-8 stands for it. */
  private static String wellFormed(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }

  @Test
  void writersThatUseABufferAgainKeepTheirValuesApart() {
    JsonWriter outer = JsonWriter.reusing();
    outer.writeString("outer");
    JsonWriter inner = JsonWriter.reusing();
    inner.writeString("inner");
    byte[] ofOuter = outer.toBytes();
    byte[] ofInner = inner.toBytes();
    inner.giveBack();
    outer.giveBack();
    JsonWriter next = JsonWriter.reusing();
    next.writeString("n");

    assertThat(next.toString()).isEqualTo("\"n\"");
    assertThat(new String(ofOuter, StandardCharsets.UTF_8)).isEqualTo("\"outer\"");
    assertThat(new String(ofInner, StandardCharsets.UTF_8)).isEqualTo("\"inner\"");
  }
}
