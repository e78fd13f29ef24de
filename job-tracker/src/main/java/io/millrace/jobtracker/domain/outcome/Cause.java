package io.millrace.jobtracker.domain.outcome;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Why an execution or a trigger ended as it did: a code with its arguments, and perhaps a further
 * cause. {@link CauseWords} puts it into words. Immutable.
 *
 * @param code what caused the end
 * @param arguments as many as the code has
 * @param further the cause that adds to this one; null if there is none
 */
public record Cause(CauseCode code, List<String> arguments, @Nullable Cause further) {
  private static final String BETWEEN_CAUSES = ", ";
  private static final String BETWEEN_ARGUMENTS = " ";

  /**
   * @throws IllegalArgumentException if the code has another number of arguments
   */
  public Cause {
    arguments = List.copyOf(arguments);
    if (arguments.size() != code.arguments()) {
      throw new IllegalArgumentException(
          code + " has " + code.arguments() + " arguments and not " + arguments);
    }
  }

  /** Creates a single cause. */
  public static Cause of(CauseCode code, Object... arguments) {
    return new Cause(code, Arrays.stream(arguments).map(String::valueOf).toList(), null);
  }

  /** This cause with others at its end; unchanged if they are null. */
  public Cause and(@Nullable Cause others) {
    return new Cause(code, arguments, further == null ? others : further.and(others));
  }

  /**
   * The text that is stored: the codes with a comma and a space between them, and a space before
   * each argument, in which {@code %}, space and comma are percent-encoded. If its end is cut off
   * within an argument, it can still be decoded.
   */
  public String encode() {
    String text =
        Stream.concat(Stream.of(code.name()), arguments.stream().map(Cause::escape))
            .collect(Collectors.joining(BETWEEN_ARGUMENTS));
    return further == null ? text : text + BETWEEN_CAUSES + further.encode();
  }

  /** The cause of a stored text. A text that is none becomes a {@link CauseCode#FREE_TEXT}. */
  public static Cause decode(String text) {
    try {
      return decodeCodes(text);
    } catch (IllegalArgumentException otherText) {
      return of(CauseCode.FREE_TEXT, text);
    }
  }

  private static Cause decodeCodes(String text) {
    String[] causes = text.split(BETWEEN_CAUSES, 2);
    String[] words = causes[0].split(BETWEEN_ARGUMENTS, -1);
    return new Cause(
        CauseCode.valueOf(words[0]),
        Arrays.stream(words).skip(1).map(Cause::unescape).toList(),
        causes.length == 1 ? null : decodeCodes(causes[1]));
  }

  private static String escape(String argument) {
    return argument.replace("%", "%25").replace(" ", "%20").replace(",", "%2C");
  }

  private static String unescape(String escaped) {
    return escaped.replace("%2C", ",").replace("%20", " ").replace("%25", "%");
  }

  @Override
  public String toString() {
    return encode();
  }
}
