package io.millrace.jobtracker.domain.cron;

import io.millrace.jobtracker.domain.phrase.CatalogueContract;

class CronCatalogueTest extends CatalogueContract {
  CronCatalogueTest() {
    super(CronWords.class, "cron");
  }
}
