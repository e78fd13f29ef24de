package io.millrace.jobtracker.store.jdbc.sql;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The name of a node group's waiting table, and the only way from a user's text to an SQL
 * identifier. Different groups have different tables, even if identifiers ignore case; a name has
 * at most {@value #MAX_LENGTH} characters and consists of {@code [a-z0-9_]}.
 *
 * <p>Lower-case letters and digits stand for themselves. An underscore begins an escape: {@code _a}
 * to {@code _z} are upper-case letters, {@code _0} is a dot, {@code _1} a hyphen and {@code __} an
 * underscore. If the result is too long, it is replaced by {@code _2}, with which no other name
 * begins, and 128 bits of the group's SHA-256.
 */
public final class WaitingTableName {
  static final int MAX_LENGTH = 64;

  public static final String PREFIX = "jt_waiting_";

  /** The prefix while the table is set aside; not longer than {@link #PREFIX}. */
  public static final String PREFIX_SET_ASIDE = "jt_unused_";

  private static final String HASH_MARK = "_2";
  private static final int HASH_BYTES = 16;
  private static final int HASH_DIGITS = 26;
  private static final Pattern NODE_GROUP = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

  private final String value;

  private WaitingTableName(String value) {
    this.value = value;
  }

  /**
   * Returns the name of the group's table.
   *
   * @throws IllegalArgumentException if the name is not a valid node group name
   */
  public static WaitingTableName of(String nodeGroup) {
    if (!NODE_GROUP.matcher(nodeGroup).matches()) {
      throw new IllegalArgumentException(
          "node group '"
              + nodeGroup
              + "' must have 1 to 64 of the characters A-Z a-z 0-9 . _ - and begin with a"
              + " letter or digit");
    }
    String escaped = escape(nodeGroup);
    boolean fits = PREFIX.length() + escaped.length() <= MAX_LENGTH;
    return new WaitingTableName(PREFIX + (fits ? escaped : HASH_MARK + hash(nodeGroup)));
  }

  /**
   * Returns the node group that the name of a table contains; empty if it contains none, or only a
   * hash.
   */
  public static Optional<String> nodeGroupOf(String table) {
    if (!table.startsWith(PREFIX)) {
      return Optional.empty();
    }
    String spelled = unescape(table.substring(PREFIX.length()));
    return isOf(spelled, table) ? Optional.of(spelled) : Optional.empty();
  }

  /** Whether this text is a valid node group name and its table has this name. */
  public static boolean isOf(String nodeGroup, String table) {
    return NODE_GROUP.matcher(nodeGroup).matches() && of(nodeGroup).value.equals(table);
  }

  /**
   * Reverses {@link #escape(String)}. For text that was never escaped, the result escapes to a
   * different text.
   */
  private static String unescape(String escaped) {
    StringBuilder nodeGroup = new StringBuilder();
    for (int i = 0; i < escaped.length(); i++) {
      char c = escaped.charAt(i);
      boolean isEscape = c == '_' && i + 1 < escaped.length();
      nodeGroup.append(isEscape ? unescape(escaped.charAt(++i)) : c);
    }
    return nodeGroup.toString();
  }

  private static char unescape(char code) {
    return switch (code) {
      case '0' -> '.';
      case '1' -> '-';
      case '_' -> '_';
      default -> Character.toUpperCase(code);
    };
  }

  private static String escape(String nodeGroup) {
    StringBuilder escaped = new StringBuilder();
    nodeGroup.chars().forEach(c -> escaped.append(escape((char) c)));
    return escaped.toString();
  }

  private static String escape(char c) {
    return switch (c) {
      case '.' -> "_0";
      case '-' -> "_1";
      case '_' -> "__";
      default -> (c >= 'A' && c <= 'Z' ? "_" : "") + Character.toLowerCase(c);
    };
  }

  /** Returns the name of the table while it is set aside. */
  public String setAside() {
    return PREFIX_SET_ASIDE + value.substring(PREFIX.length());
  }

  private static String hash(String nodeGroup) {
    byte[] digest = sha256().digest(nodeGroup.getBytes(StandardCharsets.UTF_8));
    String digits = new BigInteger(1, Arrays.copyOf(digest, HASH_BYTES)).toString(32);
    return "0".repeat(HASH_DIGITS - digits.length()) + digits.toLowerCase(Locale.ROOT);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
