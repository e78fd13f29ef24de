package io.millrace.console.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** The content coding {@code gzip}. */
public final class Gzip {
  /** The name of the coding in headers. */
  public static final String CODING = "gzip";

  private Gzip() {}

  /** Compresses as well as it can be done, which takes its time. */
  public static byte[] best(byte[] bytes) {
    return packed(bytes, Deflater.BEST_COMPRESSION);
  }

  /** Compresses in little time. */
  public static byte[] fast(byte[] bytes) {
    return packed(bytes, Deflater.BEST_SPEED);
  }

  private static byte[] packed(byte[] bytes, int level) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream(bytes.length / 3 + 64);
    try (GZIPOutputStream out = new LeveledStream(packed, level)) {
      out.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException("memory cannot be written", e);
    }
    return packed.toByteArray();
  }

  private static final class LeveledStream extends GZIPOutputStream {
    LeveledStream(ByteArrayOutputStream out, int level) throws IOException {
      super(out);
      def.setLevel(level);
    }
  }

  /**
   * Whether a client with this header {@code Accept-Encoding} takes gzip. It says so by name or by
   * {@code *}, and not with the quality zero; without the header it may not know how to unpack.
   */
  public static boolean isAccepted(@Nullable String acceptEncoding) {
    if (acceptEncoding == null) {
      return false;
    }
    boolean byStar = false;
    for (String each : acceptEncoding.toLowerCase(Locale.ROOT).split(",", -1)) {
      int semicolon = each.indexOf(';');
      String name = (semicolon < 0 ? each : each.substring(0, semicolon)).strip();
      boolean isWanted = semicolon < 0 || !isZero(each.substring(semicolon + 1));
      if (name.equals(CODING)) {
        return isWanted;
      }
      byStar |= name.equals("*") && isWanted;
    }
    return byStar;
  }

  /** Whether this parameter of a coding is a quality of zero. */
  private static boolean isZero(String parameter) {
    return parameter.replace(" ", "").matches("q=0(\\.0*)?");
  }
}
