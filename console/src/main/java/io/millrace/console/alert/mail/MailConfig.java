package io.millrace.console.alert.mail;

import io.millrace.internal.config.Check;
import io.millrace.internal.config.Secret;
import jakarta.mail.internet.AddressException;
import jakarta.mail.internet.InternetAddress;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How to send mails, and to which addresses.
 *
 * @param host of the mail server
 * @param username null if the server needs none
 * @param password null exactly if there is no user name
 * @param from address of the sender
 * @param to addresses of the recipients, at least one
 */
public record MailConfig(
    String host,
    int port,
    Tls tls,
    @Nullable String username,
    @Nullable Secret password,
    String from,
    List<String> to) {

  /** The port for mail submission by clients. */
  public static final int DEFAULT_PORT = 587;

  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "::1", "[::1]");

  /** How the connection is encrypted. */
  public enum Tls {
    /** Starts in plain text and upgrades to TLS; fails if the server does not upgrade. */
    STARTTLS,
    /** Encrypted from the first byte. */
    TLS,
    /** No encryption. */
    NONE
  }

  public MailConfig {
    to = List.copyOf(to);
    Check.that(!to.isEmpty(), "alert.mail.to must name at least one recipient");
    Check.that(
        (username == null) == (password == null),
        "alert.mail.username and alert.mail.password must be set together");
    Check.that(
        password == null || tls != Tls.NONE || LOOPBACK.contains(host),
        "a password must not be sent unencrypted to another machine: set alert.mail.tls");
    InternetAddress unused = address(from);
    to.forEach(MailConfig::address);
  }

  static InternetAddress address(String text) {
    try {
      InternetAddress address = new InternetAddress(text, true);
      address.validate();
      return address;
    } catch (AddressException e) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a mail address: " + e.getMessage(), e);
    }
  }
}
