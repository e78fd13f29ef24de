package io.millrace.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FlattenedTest {
  private final JsonCodec codec = new JsonCodec(UnknownNames.REFUSED);

  record Point(int x, int y) {
    Point {
      if (x > 99) {
        throw new IllegalArgumentException("x is too large");
      }
    }
  }

  record Style(String colour, @Flattened Point offset, @Nullable String label) {}

  record Shape(String name, @Flattened Style style, Point center, int size) {}

  record Twice(int x, @Flattened Point point) {}

  private static final Shape SHAPE =
      new Shape("a", new Style("red", new Point(1, 2), null), new Point(3, 4), 5);

  @Test
  void componentsOfPartsAreFieldsOfTheWhole() {
    String json =
        "{\"name\":\"a\",\"colour\":\"red\",\"x\":1,\"y\":2,\"center\":{\"x\":3,\"y\":4},\"size\":5}";

    assertThat(codec.encodeText(SHAPE)).isEqualTo(json);
    assertThat(codec.decodeText(json, Shape.class)).isEqualTo(SHAPE);
  }

  @Test
  void fieldsOfPartsMayComeInAnyOrder() {
    String json =
        "{\"y\":2,\"size\":5,\"colour\":\"red\",\"center\":{\"y\":4,\"x\":3},\"x\":1,\"name\":\"a\"}";

    assertThat(codec.decodeText(json, Shape.class)).isEqualTo(SHAPE);
  }

  @Test
  void missingAndUnknownFieldsAreNamedAsTheSenderWroteThem() {
    assertThatThrownBy(
            () -> codec.decodeText("{\"name\":\"a\",\"center\":{},\"size\":5}", Shape.class))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("colour is missing");
    assertThatThrownBy(() -> codec.decodeText("{\"style\":{}}", Shape.class))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("has no field 'style'")
        .hasMessageContaining("name, colour, x, y, label, center, size");
  }

  @Test
  void valueThatAPartRefusesIsInvalid() {
    assertThatThrownBy(
            () ->
                codec.decodeText(
                    "{\"name\":\"a\",\"colour\":\"red\",\"x\":100,\"center\":{}}", Shape.class))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("x is too large");
  }

  @Test
  void twoFieldsOfOneNameAreAnError() {
    assertThatThrownBy(() -> codec.encodeText(new Twice(1, new Point(2, 3))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("two fields of one name");
  }
}
