package io.millrace.test;

import io.millrace.api.Job;
import java.time.*;
import org.junit.jupiter.api.Test;

@MillraceTest(startAt = "2026-03-06T17:00", zone = "America/New_York")
class FirstTest {
  private static final ZoneId NEW_YORK = ZoneId.of("America/New_York");
  @Test
  void nights(TestMillrace millrace) {
    long t=System.nanoTime();
    millrace.worker("reports", worker -> worker.handler("nightly", context -> null));
    millrace.client().submit(Job.builder("reports", "nightly").handler("nightly").cron("0 30 2 * * ?", NEW_YORK).build());
    long t1=System.nanoTime();
    millrace.advance(Duration.ofDays(7));
    long t2=System.nanoTime();
    System.out.println("set up " + (t1-t)/1000 + " us, advance " + (t2-t1)/1000);
    System.out.println(millrace.runs("reports", "nightly").hasRun(7));
  }
  @Test
  void again(TestMillrace millrace) {
    millrace.worker("reports", worker -> worker.runner(context -> null));
    millrace.client().submit(Job.builder("reports", "often").cron("* * * * * ?").build());
    for (int i = 0; i < 5; i++) {
    long t1=System.nanoTime();
    millrace.advance(Duration.ofHours(1));
    long t2=System.nanoTime();
    System.out.println("an hour of seconds " + (t2-t1)/1000000 + " ms");
    }
    millrace.runs("reports", "often").hasRun(5*3600);
  }
}
