package io.millrace.console.http;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The host names by which clients may address the server. This defends against DNS rebinding: a
 * page of another site whose name resolves to this machine sends that name in its requests, which
 * is not among these. IP addresses are always accepted. Immutable.
 */
public final class HostRules {
  /** Matches every name. */
  public static final String ANY = "*";

  private static final Pattern ADDRESS =
      Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}|\\[[0-9a-f:.]+]");

  private static final Pattern PORT = Pattern.compile("\\d{0,5}");

  private final boolean anyName;
  private final Set<String> names;

  /**
   * @param loopback whether the server listens on this machine only; otherwise, an empty list of
   *     names admits every name
   * @param names names to admit besides localhost, such as those of a reverse proxy
   */
  public HostRules(boolean loopback, List<String> names) {
    this.names =
        names.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
    this.anyName = this.names.contains(ANY) || (!loopback && names.isEmpty());
  }

  /** Whether a request with this Host header is meant for this server. */
  public boolean admits(String host) {
    String name = nameOf(host);
    return PORT.matcher(portOf(host)).matches()
        && (anyName
            || name.equals("localhost")
            || name.endsWith(".localhost")
            || ADDRESS.matcher(name).matches()
            || names.contains(name));
  }

  /** Whether a request from a page of this origin comes from another site. */
  public boolean isForeign(@Nullable String origin, @Nullable String host) {
    if (origin == null) {
      return false;
    }
    int begin = origin.indexOf("://");
    String authority = begin < 0 ? "" : origin.substring(begin + 3).toLowerCase(Locale.ROOT);
    return !(host != null && authority.equals(host.toLowerCase(Locale.ROOT)))
        && !names.contains(nameOf(authority));
  }

  /** The port of a Host header; empty for the default port. */
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
