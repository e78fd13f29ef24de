package com.example.orders;

import io.millrace.spring.MillraceJob;
import io.millrace.spring.Recurring;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;

@Component
class OrderJobs {
  private final Map<String, Receipt> receipts = new ConcurrentHashMap<>();

  record Receipt(String orderId, int copies) {}

  @MillraceJob("close")
  Receipt close(String orderId, int copies) {
    Receipt receipt = new Receipt(orderId, copies);
    receipts.put(orderId, receipt);
    return receipt;
  }

  @MillraceJob("report")
  @Recurring(cron = "0 30 2 * * ?", zone = "America/New_York")
  String report() {
    return receipts.size() + " orders closed";
  }

  Map<String, Receipt> receipts() {
    return receipts;
  }
}
