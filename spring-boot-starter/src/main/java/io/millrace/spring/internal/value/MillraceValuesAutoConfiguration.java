package io.millrace.spring.internal.value;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.api.ValueMapper;
import io.millrace.spring.TaskTrackerCustomizer;
import io.millrace.spring.internal.config.MillraceAutoConfiguration;
import io.millrace.spring.internal.config.MillraceProperties;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import tools.jackson.databind.json.JsonMapper;

/**
 * Values by the Jackson of the application: Jackson 3 if it has a mapper of that, otherwise Jackson
 * 2. Without either, or with a mapper of values of its own, the application's choice stands.
 */
@AutoConfiguration(
    after = MillraceAutoConfiguration.class,
    afterName = {
      "org.springframework.boot.autoconfigure.jackson.JacksonAutoConfiguration",
      "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration",
      "org.springframework.boot.jackson2.autoconfigure.Jackson2AutoConfiguration"
    })
@ConditionalOnBean(MillraceProperties.class)
class MillraceValuesAutoConfiguration {

  @Bean
  @Order(0)
  TaskTrackerCustomizer millraceWorkerValues(ObjectProvider<ValueMapper> values) {
    return builder -> values.ifAvailable(builder::values);
  }

  /** By Jackson 3. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(JsonMapper.class)
  @ConditionalOnBean(JsonMapper.class)
  @ConditionalOnMissingBean(ValueMapper.class)
  static class OfJackson3 {

    @Bean
    ValueMapper millraceValues(JsonMapper mapper) {
      return new Jackson3Values(mapper);
    }
  }

  /** By Jackson 2. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(ObjectMapper.class)
  @ConditionalOnBean(ObjectMapper.class)
  @ConditionalOnMissingBean(ValueMapper.class)
  static class OfJackson2 {

    @Bean
    ValueMapper millraceValues(ObjectMapper mapper) {
      return new Jackson2Values(mapper);
    }
  }
}
