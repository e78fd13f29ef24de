package io.millrace.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Disposition;
import io.millrace.api.Job;
import io.millrace.api.TriggerResult;
import io.millrace.jobclient.JobClient;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Handlers on beans of all kinds. */
class HandlerBeansTest {
  private static TestTracker tracker;

  @BeforeAll
  static void start() {
    tracker = TestTracker.start();
  }

  @AfterAll
  static void close() {
    tracker.close();
  }

  private ApplicationContextRunner application(Class<?> beans) {
    return new ApplicationContextRunner()
        .withUserConfiguration(Plain.class, beans)
        .withPropertyValues(
            "spring.application.name=beans-" + beans.getSimpleName(),
            "millrace.trackers=" + tracker.address());
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Plain {}

  private static void run(JobClient client, Class<?> beans, String taskId)
      throws InterruptedException {
    BlockingQueue<TriggerResult> results = new LinkedBlockingQueue<>();
    client.onResult(results::add);
    assertThat(
            client
                .submit(
                    Job.builder("beans-" + beans.getSimpleName(), taskId)
                        .handler("work")
                        .feedback(true)
                        .build())
                .isStored())
        .isTrue();
    TriggerResult result = results.poll(20, TimeUnit.SECONDS);
    assertThat(result).isNotNull();
    assertThat(result.disposition()).as(result.message()).isEqualTo(Disposition.SUCCEEDED);
  }

  static class Counted {
    static final AtomicInteger CREATED = new AtomicInteger();

    Counted() {
      CREATED.incrementAndGet();
    }

    @MillraceJob("work")
    public void work() {}
  }

  @Configuration(proxyBeanMethods = false)
  static class LazyBean {
    @Bean
    @Lazy
    Counted counted() {
      return new Counted();
    }
  }

  @Test
  void lazyBeanIsCreatedByItsFirstJob() {
    Counted.CREATED.set(0);
    application(LazyBean.class)
        .run(
            context -> {
              assertThat(Counted.CREATED).hasValue(0);
              run(context.getBean(JobClient.class), LazyBean.class, "one");
              run(context.getBean(JobClient.class), LazyBean.class, "two");
              assertThat(Counted.CREATED).hasValue(1);
            });
  }

  @Configuration(proxyBeanMethods = false)
  static class PrototypeBean {
    @Bean
    @Scope("prototype")
    Counted counted() {
      return new Counted();
    }
  }

  @Test
  void prototypeIsCreatedForEachJob() {
    Counted.CREATED.set(0);
    application(PrototypeBean.class)
        .run(
            context -> {
              assertThat(Counted.CREATED).hasValue(0);
              run(context.getBean(JobClient.class), PrototypeBean.class, "one");
              run(context.getBean(JobClient.class), PrototypeBean.class, "two");
              assertThat(Counted.CREATED).hasValue(2);
            });
  }

  @Configuration(proxyBeanMethods = false)
  static class ScopedBean {
    @Bean
    @Scope(value = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
    Counted counted() {
      return new Counted();
    }
  }

  @Test
  void scopedProxyIsFoundOnce() {
    application(ScopedBean.class)
        .run(context -> run(context.getBean(JobClient.class), ScopedBean.class, "one"));
  }

  static class Transactions {
    static final BlockingQueue<Boolean> ACTIVE = new LinkedBlockingQueue<>();

    @MillraceJob("work")
    @Transactional
    public void work() {
      ACTIVE.add(TransactionSynchronizationManager.isActualTransactionActive());
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class TransactionalBean {
    @Bean
    Transactions transactions() {
      return new Transactions();
    }
  }

  @Test
  void methodRunsThroughTheProxyOfItsBean() {
    application(TransactionalBean.class)
        .run(
            context -> {
              assertThat(AopUtils.isAopProxy(context.getBean("transactions"))).isTrue();
              run(context.getBean(JobClient.class), TransactionalBean.class, "one");
              assertThat(Transactions.ACTIVE.poll(20, TimeUnit.SECONDS)).isTrue();
            });
  }

  interface Worker {
    void work();
  }

  static class Implementation implements Worker {
    @Override
    @MillraceJob("work")
    public void work() {}
  }

  @Configuration(proxyBeanMethods = false)
  static class BeanOfAnInterface {
    @Bean
    Worker worker() {
      return new Implementation();
    }
  }

  @Test
  void annotationIsFoundOnABeanThatIsDeclaredAsInterface() {
    application(BeanOfAnInterface.class)
        .run(context -> run(context.getBean(JobClient.class), BeanOfAnInterface.class, "one"));
  }

  static class Factory implements FactoryBean<Counted> {
    @Override
    public Counted getObject() {
      return new Counted();
    }

    @Override
    public Class<?> getObjectType() {
      return Counted.class;
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class BeanOfAFactory {
    @Bean
    Factory counted() {
      return new Factory();
    }
  }

  @Test
  void productOfAFactoryIsAHandlerAndIsNotCreatedForThat() {
    Counted.CREATED.set(0);
    application(BeanOfAFactory.class)
        .run(
            context -> {
              assertThat(Counted.CREATED).hasValue(0);
              run(context.getBean(JobClient.class), BeanOfAFactory.class, "one");
              assertThat(Counted.CREATED).hasValue(1);
            });
  }
}
