package io.millrace.console.alert;

import io.millrace.console.alert.mail.Mail;
import io.millrace.console.alert.monitor.AlertReceiver;
import io.millrace.console.alert.monitor.Alerting;
import io.millrace.console.alert.webhook.Webhook;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.lifecycle.NamedThreads;
import io.millrace.internal.lifecycle.ServiceGroup;
import io.millrace.internal.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Creates the alert receivers. */
public final class AlertReceivers {
  private AlertReceivers() {}

  /**
   * Creates the receivers with one thread each, so that a receiver that hangs does not delay
   * others.
   *
   * @param services receives the executors opened here, and closes them
   */
  public static Alerting open(AlertConfig config, Clock clock, ServiceGroup services) {
    List<AlertReceiver> receivers = new ArrayList<>();
    if (!config.webhooks().isEmpty()) {
      ExecutorService connections =
          Executors.newCachedThreadPool(NamedThreads.daemon("millrace-webhook"));
      services.addExecutor("connections to webhooks", connections);
      receivers.addAll(
          Webhook.all(config.webhooks(), connections, new JsonCodec(), clock, config.timeout()));
    }
    if (config.mail() != null) {
      receivers.add(new Mail(config.mail(), config.timeout()));
    }
    ExecutorService callers =
        Executors.newFixedThreadPool(receivers.size(), NamedThreads.daemon("millrace-alerts"));
    services.addExecutor("alerts", callers);
    return new Alerting(config.rules(), receivers, callers);
  }
}
