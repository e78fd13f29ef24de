package com.example.orders;

import io.millrace.jobclient.JobClient;
import io.millrace.test.MillraceTest;
import io.millrace.test.TestMillrace;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@MillraceTest(startAt = "2026-06-10T17:00", zone = "America/New_York")
class OrdersTest {

  @BeforeEach
  void startWorker(TestMillrace millrace) {
    millrace.worker(Orders.GROUP, Orders::addTo);
  }

  @Test
  void orderIsClosedHalfAnHourLater(TestMillrace millrace, JobClient client) {
    client.submit(Orders.close("42", Duration.ofMinutes(30)));

    millrace.advance(Duration.ofMinutes(29));
    millrace.runs(Orders.GROUP, "close:42").hasNotRun();

    millrace.advance(Duration.ofMinutes(1));
    millrace.runs(Orders.GROUP, "close:42").hasSucceeded(1).hasMessage("closed 42");
  }

  @Test
  void reportRunsEachNight(TestMillrace millrace, JobClient client) {
    client.submit(Orders.nightlyReport());

    millrace.advance(Duration.ofDays(7));

    millrace.runs(Orders.GROUP, "report").hasRun(7).hasSucceeded(7);
  }
}
