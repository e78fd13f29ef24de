package io.millrace.internal.rpc;

import io.millrace.internal.model.NodeGroupName;
import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.Hello;
import org.jspecify.annotations.Nullable;

/**
 * Rules for the fields of a hello. Names are shown in logs and tables, so they are short and
 * printable.
 */
public final class HelloRules {
  public static final int MAX_NAME_CHARS = 128;
  public static final int MAX_SOFTWARE_CHARS = 64;
  public static final int MIN_NONCE_CHARS = 16;
  public static final int MAX_NONCE_CHARS = 128;

  private HelloRules() {}

  /** What is wrong with a hello, or null. */
  public static @Nullable String faultOf(Hello hello) {
    int nonceChars = hello.nonce().length();
    if (nonceChars < MIN_NONCE_CHARS || nonceChars > MAX_NONCE_CHARS) {
      return "nonce must have " + MIN_NONCE_CHARS + " to " + MAX_NONCE_CHARS + " characters";
    }
    String software = hello.software();
    if (software != null && !isName(software, MAX_SOFTWARE_CHARS)) {
      return "software must have at most "
          + MAX_SOFTWARE_CHARS
          + " printable ASCII characters without blanks";
    }
    return faultOf(hello.role(), hello.nodeId(), hello.group());
  }

  /** What is wrong with an identity, or null. */
  public static @Nullable String faultOf(NodeRole role, String nodeId, String group) {
    if (role == NodeRole.UNKNOWN) {
      return "role must be CLIENT, WORKER or TRACKER";
    }
    if (nodeId.isEmpty() || !isName(nodeId)) {
      return "nodeId must have 1 to "
          + MAX_NAME_CHARS
          + " printable ASCII characters without blanks";
    }
    return role == NodeRole.WORKER ? NodeGroupName.faultOf(group) : clientGroupFault(group);
  }

  /**
   * What is wrong with a client group, or null. It may be empty; then the client receives no
   * feedback.
   */
  private static @Nullable String clientGroupFault(String group) {
    return isName(group)
        ? null
        : "client group '"
            + group
            + "' must have at most "
            + MAX_NAME_CHARS
            + " printable ASCII characters without blanks";
  }

  private static boolean isName(String text) {
    return isName(text, MAX_NAME_CHARS);
  }

  private static boolean isName(String text, int maxChars) {
    return text.length() <= maxChars && text.chars().allMatch(c -> c > ' ' && c < 0x7f);
  }
}
