package com.example.orders;

import io.millrace.api.Job;
import io.millrace.jobclient.JobClient;
import java.util.Collection;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
class OrderController {
  private final JobClient client;
  private final OrderJobs jobs;

  OrderController(JobClient client, OrderJobs jobs) {
    this.client = client;
    this.jobs = jobs;
  }

  @PostMapping("/orders/{id}/close")
  String close(@PathVariable("id") String id) {
    Job job =
        Job.builder("orders", "close:" + id)
            .handler("close")
            .param("orderId", id)
            .param("copies", 2)
            .build();
    return client.submit(job).status().name();
  }

  @GetMapping("/receipts")
  Collection<OrderJobs.Receipt> receipts() {
    return jobs.receipts().values();
  }
}
