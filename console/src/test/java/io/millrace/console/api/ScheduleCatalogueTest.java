package io.millrace.console.api;

import io.millrace.jobtracker.domain.phrase.CatalogueContract;

class ScheduleCatalogueTest extends CatalogueContract {
  ScheduleCatalogueTest() {
    super(ScheduleWords.class, "schedules");
  }
}
