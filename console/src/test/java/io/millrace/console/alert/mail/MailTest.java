package io.millrace.console.alert.mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import io.millrace.console.alert.monitor.AlertMessage;
import io.millrace.console.alert.monitor.DeliveryException;
import io.millrace.console.alert.monitor.SampleAlerts;
import io.millrace.internal.config.Secret;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against a real mail server on this machine. */
class MailTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final AlertMessage MESSAGE = SampleAlerts.message("tracker:1-abc-7");

  private final GreenMail server =
      new GreenMail(
          new ServerSetup[] {
            new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP),
            new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTPS)
          });

  @BeforeEach
  void startServer() {
    server.start();
  }

  @AfterEach
  void stopServer() {
    server.stop();
  }

  @Test
  void messageIsMailedToAllWithKindGroupAndCountInTheSubject() throws Exception {
    open("oncall@example.org", "Operators <ops@example.org>").deliver(MESSAGE, 2);

    MimeMessage[] mails = server.getReceivedMessages();
    assertThat(mails).as("a copy in each mail box").hasSize(2);
    MimeMessage mail = mails[0];
    assertThat(mail.getSubject()).isEqualTo("[Millrace] DEAD orders: 3 triggers ended DEAD");
    assertThat(mail.getFrom()[0]).hasToString("millrace@example.org");
    assertThat(Arrays.stream(mail.getAllRecipients()).map(Object::toString))
        .containsExactly("oncall@example.org", "Operators <ops@example.org>");
    assertThat(mail.getContentType()).startsWith("text/plain");
    assertThat(mail.getContent().toString().lines())
        .containsExactly(
            "orders: 3 triggers ended DEAD",
            "- close:42 at 2026-11-22T12:00:00Z: attempts used up: java.io.IOException: no route to"
                + " the printer",
            "- close:43 at 2026-11-22T12:00:04Z: worker lost, attempts used up",
            "- and 1 more",
            "2 alerts before this one could not be delivered",
            "",
            "kind: dead",
            "node group: orders",
            "tracker: tracker-1.example.org:35001",
            "since: 2026-11-22T12:00:00Z",
            "until: 2026-11-22T12:00:21Z",
            "written at: 2026-11-22T12:00:30Z");
  }

  /** So that a mail box knows it again when it comes twice. */
  @Test
  void mailKeepsItsIdAndItsDateHoweverOftenItIsSent() throws Exception {
    Mail mail = open("oncall@example.org");
    mail.deliver(MESSAGE, 0);
    mail.deliver(MESSAGE, 0);

    for (MimeMessage received : server.getReceivedMessages()) {
      assertThat(received.getMessageID()).isEqualTo("<tracker.1-abc-7@millrace>");
      assertThat(received.getSentDate()).isEqualTo(SampleAlerts.NOON.plusSeconds(30));
      assertThat(received.getHeader("Auto-Submitted")).containsExactly("auto-generated");
    }
    assertThat(server.getReceivedMessages()).hasSize(2);
  }

  @Test
  void nobodyWhoNamesThingsWritesHeaders() throws Exception {
    open("oncall@example.org")
        .deliver(SampleAlerts.message("id", "orders\r\nBcc: thief@example.org\r\n\r\nx", "é"), 0);

    MimeMessage[] mails = server.getReceivedMessages();
    assertThat(mails).hasSize(1);
    assertThat(mails[0].getHeader("Bcc")).isNull();
    assertThat(mails[0].getSubject()).contains("orders").doesNotContain("\n");
    assertThat(mails[0].getContent().toString()).contains("used up: é");
  }

  @Test
  void userProvesWhoHeIs() throws Exception {
    server.setUser("millrace@example.org", "millrace", "a password");

    open(MailConfig.Tls.NONE, "millrace", "a password", PATIENCE).deliver(MESSAGE, 0);

    assertThat(server.getReceivedMessages()).hasSize(1);
    assertThatThrownBy(
            () -> open(MailConfig.Tls.NONE, "millrace", "another", PATIENCE).deliver(MESSAGE, 0))
        .isInstanceOf(DeliveryException.class)
        .satisfies(failure -> assertThat(failure.getMessage()).doesNotContain("another"));
  }

  /** Otherwise whoever is on the way takes the offer out and reads along. */
  @Test
  void whereTheServerOffersNoEncryptionNothingIsSentInTheClear() throws IOException {
    assertThatThrownBy(
            () -> open(MailConfig.Tls.STARTTLS, null, null, PATIENCE).deliver(MESSAGE, 0))
        .isInstanceOf(DeliveryException.class)
        .hasMessageContaining("STARTTLS");
    assertThat(server.getReceivedMessages()).isEmpty();
  }

  /** The server shows a certificate that nobody has vouched for. */
  @Test
  void nothingIsSentToAServerThatCannotProveItsName() {
    MailConfig config =
        new MailConfig(
            "127.0.0.1",
            server.getSmtps().getPort(),
            MailConfig.Tls.TLS,
            null,
            null,
            "millrace@example.org",
            List.of("oncall@example.org"));

    assertThatThrownBy(() -> new Mail(config, PATIENCE).deliver(MESSAGE, 0))
        .isInstanceOf(DeliveryException.class)
        .hasMessageContaining("SSLHandshakeException");
    assertThat(server.getReceivedMessages()).isEmpty();
  }

  @Test
  void serverThatSaysNothingIsGivenUp() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress())) {
      MailConfig config = config("127.0.0.1", silent.getLocalPort(), "oncall@example.org");

      assertThatThrownBy(() -> new Mail(config, Duration.ofMillis(200)).deliver(MESSAGE, 0))
          .isInstanceOf(DeliveryException.class)
          .hasMessageContaining("SocketTimeoutException");
    }
  }

  @Test
  void serverThatIsNotThereIsAFailure() {
    int port = server.getSmtp().getPort();
    server.stop();

    assertThatThrownBy(
            () ->
                new Mail(config("127.0.0.1", port, "oncall@example.org"), PATIENCE)
                    .deliver(MESSAGE, 0))
        .isInstanceOf(DeliveryException.class)
        .hasMessageContaining("ConnectException");
  }

  @ParameterizedTest
  @ValueSource(strings = {"nobody at all", "a@b@c", "<>", "a@x\r\nBcc: b@x"})
  void addressesThatAreNoneAreRefused(String address) {
    assertThatThrownBy(() -> config("mail.example.org", 25, address))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void passwordIsNotSentInTheClearToAnotherMachine() {
    assertThatThrownBy(
            () ->
                new MailConfig(
                    "mail.example.org",
                    25,
                    MailConfig.Tls.NONE,
                    "millrace",
                    Secret.of("xyz"),
                    "millrace@example.org",
                    List.of("oncall@example.org")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("unencrypted")
        .satisfies(refusal -> assertThat(refusal.getMessage()).doesNotContain("xyz"));
  }

  private Mail open(String... to) {
    return new Mail(config("127.0.0.1", server.getSmtp().getPort(), to), PATIENCE);
  }

  private static MailConfig config(String host, int port, String... to) {
    return new MailConfig(
        host, port, MailConfig.Tls.NONE, null, null, "millrace@example.org", List.of(to));
  }

  private Mail open(
      MailConfig.Tls tls, @Nullable String user, @Nullable String password, Duration timeout) {
    return new Mail(
        new MailConfig(
            "127.0.0.1",
            server.getSmtp().getPort(),
            tls,
            user,
            password == null ? null : Secret.of(password),
            "millrace@example.org",
            List.of("oncall@example.org")),
        timeout);
  }
}
