package com.example.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

/** The whole application, with its tracker in memory. */
@SpringBootTest(properties = "millrace.tracker.store.url=jdbc:h2:mem:orders")
class OrdersApplicationTest {
  @Autowired private OrderController controller;
  @Autowired private OrderJobs jobs;

  @Test
  void orderIsClosed() {
    assertThat(controller.close("42")).isEqualTo("ACCEPTED");

    await().untilAsserted(() -> assertThat(jobs.receipts()).containsKey("42"));
  }
}
