package io.millrace.spring.internal.declare;

import io.millrace.api.Declaration;
import io.millrace.api.Job;
import io.millrace.jobclient.JobClient;
import io.millrace.spring.internal.config.Application;
import io.millrace.spring.internal.config.MillraceAutoConfiguration;
import io.millrace.spring.internal.config.MillraceProperties;
import io.millrace.spring.internal.config.MillraceProperties.Declarations;
import io.millrace.spring.internal.config.MillraceStartException;
import io.millrace.spring.internal.handler.HandlerMethod;
import io.millrace.spring.internal.handler.HandlerMethods;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.info.ProjectInfoAutoConfiguration;
import org.springframework.boot.info.BuildProperties;
import org.springframework.context.annotation.Bean;

/** Declares the recurring jobs of the application once it is ready. */
@AutoConfiguration(after = {MillraceAutoConfiguration.class, ProjectInfoAutoConfiguration.class})
@ConditionalOnBean({JobClient.class, HandlerMethods.class})
@ConditionalOnProperty(prefix = "millrace.declarations", name = "enabled", matchIfMissing = true)
class MillraceDeclarationsAutoConfiguration {

  @Bean
  Declarer millraceDeclarer(
      ConfigurableBeanFactory beans,
      HandlerMethods handlers,
      JobClient client,
      Application application,
      MillraceProperties properties,
      ObjectProvider<BuildProperties> build) {
    return new Declarer(
        client,
        () -> {
          List<HandlerMethod> recurring =
              handlers.all().values().stream()
                  .filter(method -> method.recurring() != null)
                  .toList();
          if (recurring.isEmpty()) {
            return null;
          }
          RecurringJobs jobs =
              new RecurringJobs(
                  application.nodeGroup(),
                  text -> String.valueOf(beans.resolveEmbeddedValue(text)));
          return declaration(
              jobs.of(recurring),
              application,
              properties.declarations(),
              revision(properties.declarations(), build.getIfAvailable()));
        });
  }

  private static Declaration declaration(
      List<Job> jobs, Application application, Declarations settings, @Nullable Long revision) {
    String owner = settings.owner() == null ? application.name() : settings.owner();
    if (owner == null) {
      throw new MillraceStartException(
          "The application declares recurring jobs and has no name under which to declare them.",
          "Set spring.application.name, or millrace.declarations.owner.");
    }
    Declaration.Builder declaration =
        Declaration.builder()
            .owner(owner)
            .jobs(jobs)
            .retireMissing(settings.retire())
            .adopt(settings.adopt());
    if (revision != null) {
      declaration.revision(revision);
    }
    try {
      return declaration.build();
    } catch (IllegalStateException wrong) {
      throw new MillraceStartException(
          "The recurring jobs cannot be declared: " + wrong.getMessage() + ".",
          "Correct millrace.declarations.owner or spring.application.name.",
          wrong);
    }
  }

  private static @Nullable Long revision(Declarations settings, @Nullable BuildProperties build) {
    if (settings.revision() != null) {
      return settings.revision();
    }
    return build == null || build.getTime() == null ? null : build.getTime().getEpochSecond();
  }
}
