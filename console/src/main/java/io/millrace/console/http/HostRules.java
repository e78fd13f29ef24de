package io.millrace.console.http;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * By which names the server is asked. A page of a name whose address was made to lead to this
 * machine asks by that name, which is how it is told from the pages of this server; an address is
 * no name. Immutable.
 */
public final class HostRules {
  /** Stands for every name. */
  public static final String ANY = "*";

  private static final Pattern ADDRESS =
      Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}|\\[[0-9a-f:.]+]");

  private static final Pattern PORT = Pattern.compile("\\d{0,5}");

  private final boolean anyName;
  private final Set<String> names;

  /**
   * @param loopback whether it listens on this machine alone; then only these names lead to it
   * @param names others by which it is asked, such as those of a proxy before it
   */
  public HostRules(boolean loopback, List<String> names) {
    this.names =
        names.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
    this.anyName = this.names.contains(ANY) || (!loopback && names.isEmpty());
  }

  /** Whether a request with this header Host is meant for this server. */
  public boolean admits(String host) {
    String name = nameOf(host);
    return PORT.matcher(portOf(host)).matches()
        && (anyName
            || name.equals("localhost")
            || name.endsWith(".localhost")
            || ADDRESS.matcher(name).matches()
            || names.contains(name));
  }

  /** Whether a request of a page from this origin is one of another site. */
  public boolean isForeign(@Nullable String origin, @Nullable String host) {
    if (origin == null) {
      return false;
    }
    int begin = origin.indexOf("://");
    String authority = begin < 0 ? "" : origin.substring(begin + 3).toLowerCase(Locale.ROOT);
    return !(host != null && authority.equals(host.toLowerCase(Locale.ROOT)))
        && !names.contains(nameOf(authority));
  }

  /** The port that the request was sent to, as the header Host has it; empty for the usual one. */
  public static String portOf(String host) {
    return host.substring(endOfName(host)).replace(":", "");
  }

  private static String nameOf(String host) {
    String name = host.substring(0, endOfName(host)).toLowerCase(Locale.ROOT);
    return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
  }

  private static int endOfName(String host) {
    int colon = host.lastIndexOf(':');
    return colon > host.lastIndexOf(']') ? colon : host.length();
  }
}
