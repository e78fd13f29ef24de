package io.millrace.console;

import io.millrace.console.access.AccessRecord;
import io.millrace.console.access.ChangeRecord;
import io.millrace.console.access.OperatorAuthenticator;
import io.millrace.console.access.OperatorTokens;
import io.millrace.console.access.Sessions;
import io.millrace.console.access.TokenLife;
import io.millrace.console.access.TokenUses;
import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.TrackerOperations;
import io.millrace.jobtracker.store.console.ConsoleStores;

/** The services that admit operators to one console. They share one record of refused tokens. */
record OperatorAccess(
    OperatorAuthenticator authenticator, Sessions sessions, OperatorTokens tokens, TokenUses uses) {

  static OperatorAccess of(ConsoleConfig config, TrackerOperations tracker) {
    ConsoleStores stores = tracker.stores().console();
    Clock clock = tracker.time().clock();
    ChangeRecord changes = new ChangeRecord(stores.audit(), tracker.ids(), clock);
    AccessRecord record = new AccessRecord(changes, tracker.time());
    TokenUses uses = new TokenUses(stores.operators(), clock);
    return new OperatorAccess(
        new OperatorAuthenticator(stores.operators(), clock, changes, record, uses),
        new Sessions(stores.operators(), clock, config.session(), record, uses),
        new OperatorTokens(
            stores.operators(), tracker.ids(), clock, new TokenLife(config.maxTokenLife())),
        uses);
  }
}
