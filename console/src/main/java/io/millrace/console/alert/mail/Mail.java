package io.millrace.console.alert.mail;

import io.millrace.console.alert.monitor.AlertMessage;
import io.millrace.console.alert.monitor.AlertReceiver;
import io.millrace.console.alert.monitor.AlertWords;
import io.millrace.console.alert.monitor.DeliveryException;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.MimeMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Properties;

/** Sends alerts by mail. Opens a connection for each mail, as mails are few. */
public final class Mail implements AlertReceiver {
  private final MailConfig config;
  private final Session session;

  /**
   * @param timeout for connecting, and for each read from and write to the server
   */
  public Mail(MailConfig config, Duration timeout) {
    this.config = config;
    this.session = Session.getInstance(properties(config, Long.toString(timeout.toMillis())));
  }

  private static Properties properties(MailConfig config, String timeout) {
    Properties properties = new Properties();
    properties.setProperty("mail.transport.protocol", "smtp");
    properties.setProperty("mail.smtp.host", config.host());
    properties.setProperty("mail.smtp.port", Integer.toString(config.port()));
    properties.setProperty("mail.smtp.connectiontimeout", timeout);
    properties.setProperty("mail.smtp.timeout", timeout);
    properties.setProperty("mail.smtp.writetimeout", timeout);
    properties.setProperty("mail.smtp.auth", Boolean.toString(config.username() != null));
    // Otherwise an attacker on the path could strip STARTTLS, or impersonate the server.
    boolean starts = config.tls() == MailConfig.Tls.STARTTLS;
    properties.setProperty("mail.smtp.starttls.enable", Boolean.toString(starts));
    properties.setProperty("mail.smtp.starttls.required", Boolean.toString(starts));
    properties.setProperty(
        "mail.smtp.ssl.enable", Boolean.toString(config.tls() == MailConfig.Tls.TLS));
    properties.setProperty("mail.smtp.ssl.checkserveridentity", "true");
    return properties;
  }

  @Override
  public String type() {
    return "mail";
  }

  @Override
  public String name() {
    return "mail by " + config.host();
  }

  @Override
  public void deliver(AlertMessage message, long undelivered) {
    try (Transport transport = session.getTransport()) {
      MimeMessage mail = write(message, undelivered);
      if (config.password() == null) {
        transport.connect();
      } else {
        transport.connect(config.host(), config.username(), config.password().reveal());
      }
      transport.sendMessage(mail, mail.getAllRecipients());
    } catch (MessagingException e) {
      throw new DeliveryException(reason(e));
    }
  }

  private MimeMessage write(AlertMessage message, long undelivered) throws MessagingException {
    Written mail = new Written(session, message.id());
    mail.setFrom(MailConfig.address(config.from()));
    for (String to : config.to()) {
      mail.addRecipient(Message.RecipientType.TO, MailConfig.address(to));
    }
    mail.setSubject(subject(message), StandardCharsets.UTF_8.name());
    mail.setSentDate(Date.from(message.at()));
    mail.setHeader("Auto-Submitted", "auto-generated");
    mail.setHeader("X-Millrace-Delivery", message.id());
    mail.setText(text(message, undelivered), StandardCharsets.UTF_8.name());
    mail.saveChanges();
    return mail;
  }

  static String subject(AlertMessage message) {
    return "[Millrace] " + message.kind() + " " + AlertWords.headline(message);
  }

  private static String text(AlertMessage message, long undelivered) {
    List<String> lines = new ArrayList<>(AlertWords.lines(message, undelivered));
    lines.add("");
    lines.add("kind: " + message.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'));
    if (message.nodeGroup() != null) {
      lines.add("node group: " + message.nodeGroup());
    }
    lines.add("tracker: " + message.tracker());
    lines.add("since: " + message.since());
    if (message.until() != null) {
      lines.add("until: " + message.until());
    }
    lines.add("written at: " + message.at());
    return String.join("\r\n", lines) + "\r\n";
  }

  /** The server's answer is in the next exception of the chain, if there is one. */
  private static String reason(MessagingException failure) {
    Exception next = failure.getNextException();
    return next == null ? String.valueOf(failure) : failure + ", because of " + next;
  }

  /**
   * A mail whose id stays the same over all attempts to send it, so that mailboxes recognize
   * repeats. The library would generate a new id from the name of this machine.
   */
  private static final class Written extends MimeMessage {
    private final String id;

    Written(Session session, String id) {
      super(session);
      this.id = id;
    }

    @Override
    protected void updateMessageID() throws MessagingException {
      setHeader("Message-ID", "<" + id.replaceAll("[^A-Za-z0-9.-]", ".") + "@millrace>");
    }
  }
}
