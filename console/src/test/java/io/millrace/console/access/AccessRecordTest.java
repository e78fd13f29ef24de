package io.millrace.console.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.fixture.HandTime;
import io.millrace.jobtracker.store.console.AuditStore;
import io.millrace.jobtracker.store.console.OperatorStore.Token;
import io.millrace.jobtracker.store.console.Rights;
import io.millrace.jobtracker.store.console.Role;
import io.millrace.jobtracker.store.failure.StoreUnavailableException;
import io.millrace.jobtracker.store.order.AgeOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AccessRecordTest {
  private static final String SESSION = "/api/v1/session";
  private static final String WHY = "the token is unknown or was revoked";

  private final HandTime time = new HandTime();
  private final Entries audit = new Entries();
  private final AccessRecord record =
      new AccessRecord(
          new ChangeRecord(audit, new IdSequence(1, 0), time.timedExecutor().clock()),
          time.timedExecutor());

  /** An audit in memory. */
  private static final class Entries implements AuditStore {
    final List<Entry> entries = new ArrayList<>();
    boolean away;

    @Override
    public void append(Entry entry) {
      if (away) {
        throw new StoreUnavailableException("the database is away", null);
      }
      entries.add(entry);
    }

    @Override
    public void conclude(long id, int status, @Nullable String outcome) {
      throw new UnsupportedOperationException("entries of access have their outcome");
    }

    @Override
    public Found search(Query query, AgeOrder order, long behindId, int limit, int lookAt) {
      return new Found(entries, null);
    }

    @Override
    public int deleteBelow(long belowId, int limit) {
      return 0;
    }
  }

  @Test
  void signInIsOnRecordWithNameAddressAndTime() {
    Token ann = Token.issued(7, "ann", Rights.of(Role.OPERATE), 0, "admin", null);

    record.signsIn(ann, SESSION, "10.0.0.7");

    AuditStore.Entry entry = audit.entries.get(0);
    assertThat(entry)
        .isEqualTo(
            new AuditStore.Entry(
                entry.id(),
                time.millis(),
                "ann",
                Role.OPERATE,
                "10.0.0.7",
                "signIn",
                SESSION,
                null,
                null,
                201,
                null));
  }

  @Test
  void nobodySignsInWhoCannotBePutOnRecord() {
    audit.away = true;

    assertThatThrownBy(
            () ->
                record.signsIn(
                    Token.issued(7, "ann", Rights.of(Role.OPERATE), 0, "admin", null),
                    SESSION,
                    "10.0.0.7"))
        .isInstanceOf(StoreUnavailableException.class);
  }

  @Test
  void floodOfRefusalsFromOneAddressTakesTwoEntriesAMinute() {
    for (int i = 0; i < 1_000; i++) {
      record.refused(SESSION, "10.0.0.7", WHY);
    }
    assertThat(audit.entries)
        .extracting(
            AuditStore.Entry::operator,
            AuditStore.Entry::address,
            AuditStore.Entry::status,
            AuditStore.Entry::outcome)
        .containsExactly(tuple("-", "10.0.0.7", 401, WHY));

    time.pass(AccessRecord.SPAN);
    assertThat(audit.entries)
        .extracting(AuditStore.Entry::outcome)
        .containsExactly(WHY, "rejected 999 more times within the minute");

    record.refused(SESSION, "10.0.0.7", WHY);
    time.pass(AccessRecord.SPAN);
    assertThat(audit.entries).as("a refusal by itself").hasSize(3);
  }

  @Test
  void addressesAndWhatTheyWantAreToldApart() {
    record.refused(SESSION, "10.0.0.7", WHY);
    record.refused(SESSION, "10.0.0.8", WHY);
    record.refused("Authorization: Bearer", "10.0.0.8", WHY);

    assertThat(audit.entries)
        .extracting(AuditStore.Entry::target, AuditStore.Entry::address)
        .containsExactly(
            tuple(SESSION, "10.0.0.7"),
            tuple(SESSION, "10.0.0.8"),
            tuple("Authorization: Bearer", "10.0.0.8"));
  }

  @Test
  void refusalsFromVeryManyAddressesShareEntries() {
    for (int i = 0; i < 10_000; i++) {
      record.refused(SESSION, "10.0." + i / 256 + "." + i % 256, WHY);
    }
    time.pass(AccessRecord.SPAN);

    assertThat(audit.entries).hasSize(AccessRecord.MAX_ADDRESSES + 2);
    AuditStore.Entry last = audit.entries.get(audit.entries.size() - 1);
    assertThat(last.address()).isEqualTo("other addresses");
    assertThat(last.outcome())
        .isEqualTo(
            "rejected "
                + (10_000 - AccessRecord.MAX_ADDRESSES - 1)
                + " more times within the minute");
  }

  @Test
  void refusalStandsAlsoIfItCannotBePutOnRecord() {
    audit.away = true;
    record.refused(SESSION, "10.0.0.7", WHY);
    audit.away = false;
    time.pass(AccessRecord.SPAN);

    record.refused(SESSION, "10.0.0.7", WHY);

    assertThat(audit.entries).hasSize(1);
  }
}
