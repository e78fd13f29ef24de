package io.millrace.spring.internal.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jobtracker.store.jdbc.h2.H2Version;
import io.millrace.spring.internal.config.MillraceProperties;
import io.millrace.spring.internal.config.MillraceStartException;
import org.junit.jupiter.api.Test;
import org.springframework.mock.env.MockEnvironment;

class StoreLocationTest {
  private final MockEnvironment environment = new MockEnvironment();

  private StoreLocation own(String url) {
    return StoreLocation.of(new MillraceProperties.Store(url, "me", "secret"), environment);
  }

  private StoreLocation beside(String url) {
    environment
        .withProperty("spring.datasource.url", url)
        .withProperty("spring.datasource.username", "app")
        .withProperty("spring.datasource.password", "hidden");
    return StoreLocation.of(new MillraceProperties.Store(null, null, null), environment);
  }

  @Test
  void ownLocationIsTakenAsItIs() {
    assertThat(own("jdbc:mysql://db:3306/jobs?sslMode=REQUIRED"))
        .isEqualTo(new StoreLocation("jdbc:mysql://db:3306/jobs?sslMode=REQUIRED", "me", "secret"));
    assertThat(own("jdbc:h2:./data/millrace").url()).isEqualTo("jdbc:h2:./data/millrace");
    assertThat(own("jdbc:h2:mem:jobs").url()).isEqualTo("jdbc:h2:mem:jobs;DB_CLOSE_DELAY=10");
    assertThat(own("jdbc:h2:mem:jobs;DB_CLOSE_DELAY=-1").url())
        .isEqualTo("jdbc:h2:mem:jobs;DB_CLOSE_DELAY=-1");
    assertThat(own("jdbc:mariadb://db/jobs").url()).isEqualTo("jdbc:mysql://db/jobs");
  }

  @Test
  void databaseOfTheApplicationIsSharedOnAServerOnly() {
    assertThat(beside("jdbc:mysql://db/shop"))
        .isEqualTo(new StoreLocation("jdbc:mysql://db/shop", "app", "hidden"));
    assertThat(beside("jdbc:mariadb://db/shop").url()).isEqualTo("jdbc:mysql://db/shop");
    assertThat(beside("jdbc:h2:file:~/shop;MODE=MySQL").url())
        .isEqualTo("jdbc:h2:file:~/shop-millrace");
    assertThat(beside("jdbc:h2:mem:shop").url()).startsWith("jdbc:h2:mem:millrace-");
  }

  @Test
  void whatCannotBeUsedIsRefused() {
    assertThatThrownBy(() -> beside("jdbc:postgresql://db/shop"))
        .isInstanceOf(MillraceStartException.class)
        .hasMessage(
            "spring.datasource.url names a database on PostgreSQL. A tracker keeps its jobs in"
                + " MySQL, MariaDB or H2 only.");
    assertThatThrownBy(() -> beside("jdbc:sqlserver://db;databaseName=shop"))
        .hasMessageContaining("SQL Server");
    assertThatThrownBy(() -> beside("jdbc:newsql://db")).hasMessageContaining("on newsql.");
    assertThatThrownBy(() -> beside("jdbc:h2:tcp://db/shop"))
        .hasMessageContaining("names a server");
    assertThatThrownBy(() -> beside("jdbc:h2:./shop;CIPHER=AES"))
        .hasMessageContaining("encrypted file");
    assertThatThrownBy(() -> beside("jdbc:mariadb://db/shop?useSsl=true"))
        .hasMessageContaining("settings for the driver of MariaDB");
    assertThatThrownBy(() -> own("jdbc:h2:./shop;AUTO_SERVER=TRUE"))
        .hasMessageContaining("AUTO_SERVER");
  }

  @Test
  void fileOfTheApplicationIsRefused() {
    environment.withProperty("spring.datasource.url", "jdbc:h2:file:./data/shop;MODE=MySQL");

    assertThatThrownBy(() -> own("jdbc:h2:./data/shop"))
        .hasMessageContaining("name the same H2 file");
  }

  @Test
  void otherVersionOfH2IsRefused() {
    assertThatThrownBy(() -> TrackerLauncher.require(new H2Version("2.3.232", "2.4.240")))
        .isInstanceOfSatisfying(
            MillraceStartException.class,
            refused -> {
              assertThat(refused)
                  .hasMessage(
                      "The tracker needs H2 2.3.232 to keep its jobs safe, but the application has"
                          + " H2 2.4.240.");
              assertThat(refused.action()).contains("<h2.version>2.3.232</h2.version>");
            });
    assertThatCode(() -> TrackerLauncher.require(H2Version.ofClassPath()))
        .doesNotThrowAnyException();
  }
}
