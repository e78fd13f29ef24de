package io.millrace.console;

import io.millrace.console.http.Param;
import io.millrace.console.http.ParamForm;
import io.millrace.console.http.Problem;
import io.millrace.console.http.Reply;
import io.millrace.console.http.Route;
import io.millrace.internal.annotation.DefaultWhenMissing;
import io.millrace.internal.codec.Flattened;
import io.swagger.v3.core.util.Json31;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.SpecVersion;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.parameters.RequestBody;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import io.swagger.v3.oas.models.security.SecurityRequirement;
import io.swagger.v3.oas.models.security.SecurityScheme;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes the OpenAPI document out of the routes. */
final class OpenApiDocument {
  private static final String SESSION = "session";
  private static final String BEARER = "bearer";

  /** Problems that every route with a role may answer. */
  private static final List<Problem.Kind> USUAL =
      List.of(
          Problem.Kind.BAD_REQUEST,
          Problem.Kind.UNAUTHENTICATED,
          Problem.Kind.FORBIDDEN,
          Problem.Kind.TOO_LARGE,
          Problem.Kind.UNAVAILABLE);

  private final Map<String, Schema<?>> schemas = new LinkedHashMap<>();
  private final Map<String, Class<?>> named = new LinkedHashMap<>();

  private OpenApiDocument() {}

  static String of(List<Route> routes) {
    return new OpenApiDocument().write(routes);
  }

  private String write(List<Route> routes) {
    OpenAPI document =
        new OpenAPI(SpecVersion.V31)
            .openapi("3.1.0")
            .info(
                new Info()
                    .title("Millrace")
                    .version("v1")
                    .description("What operators and programs ask of a Millrace tracker."))
            .components(
                new Components()
                    .addSecuritySchemes(
                        BEARER,
                        new SecurityScheme()
                            .type(SecurityScheme.Type.HTTP)
                            .scheme(BEARER)
                            .description("An operator's token"))
                    .addSecuritySchemes(
                        SESSION,
                        new SecurityScheme()
                            .type(SecurityScheme.Type.APIKEY)
                            .in(SecurityScheme.In.COOKIE)
                            .name("millrace_session")
                            .description(
                                "A signed-in browser; changes carry X-CSRF-Token as well. The name"
                                    + " goes on with _ and the port of the header Host, if it has"
                                    + " one, and begins with __Host- where the tracker has TLS")));
    for (Route route : routes) {
      PathItem item = document.getPaths() == null ? null : document.getPaths().get(route.path());
      if (item == null) {
        item = new PathItem();
        document.path(route.path(), item);
      }
      item.operation(PathItem.HttpMethod.valueOf(route.method().name()), operation(route));
    }
    schemas.forEach(document.getComponents()::addSchemas);
    return Json31.pretty(document) + "\n";
  }

  private Operation operation(Route route) {
    Operation operation =
        new Operation()
            .operationId(route.operation())
            .summary(route.summary())
            .addTagsItem(route.tag())
            .responses(responses(route));
    route.params().forEach(param -> operation.addParametersItem(parameter(param)));
    if (route.is(Route.Trait.CONDITIONAL)) {
      operation.addParametersItem(
          new Parameter()
              .name("If-Match")
              .in("header")
              .required(false)
              .description("The ETag that it was shown with; refused with 412 if it has changed")
              .schema(string(null)));
    }
    if (route.body() != null) {
      operation.requestBody(
          new RequestBody()
              .required(!route.is(Route.Trait.OPTIONAL_BODY))
              .content(content(Reply.JSON, schemaOf(route.body()))));
    }
    if (route.role() != null) {
      operation.description("Takes the role " + route.role() + ".");
      operation.addExtension("x-role", route.role().name());
      operation.addSecurityItem(new SecurityRequirement().addList(BEARER));
      operation.addSecurityItem(new SecurityRequirement().addList(SESSION));
    }
    return operation;
  }

  private ApiResponses responses(Route route) {
    ApiResponses responses = new ApiResponses();
    ApiResponse usual = new ApiResponse().description("Done");
    if (route.answer() != null) {
      usual.content(content(Reply.JSON, schemaOf(route.answer())));
    } else if (route.streamer() != null) {
      usual.content(content("text/event-stream", string(null)));
    } else if (route.is(Route.Trait.TEXT_FILE)) {
      usual.content(content("text/plain", string(null)));
    }
    responses.addApiResponse(String.valueOf(route.status()), usual);
    List<Problem.Kind> problems = new ArrayList<>(USUAL);
    if (route.params().stream().anyMatch(Param::inPath)) {
      problems.add(Problem.Kind.NOT_FOUND);
    }
    if (route.method().isChange()) {
      problems.add(Problem.Kind.CONFLICT);
    }
    if (route.method() == Route.Method.PUT) {
      problems.add(Problem.Kind.PRECONDITION_FAILED);
    }
    if (route.body() != null) {
      problems.add(Problem.Kind.MEDIA_TYPE);
      problems.add(Problem.Kind.REJECTED);
    }
    problems.stream()
        .sorted()
        .forEach(
            kind ->
                responses.addApiResponse(
                    String.valueOf(kind.status()),
                    new ApiResponse()
                        .description(kind.with("").title())
                        .content(content(Problem.MEDIA_TYPE, schemaOf(Problem.class)))));
    return responses;
  }

  private static Content content(String mediaType, Schema<?> schema) {
    return new Content().addMediaType(mediaType, new MediaType().schema(schema));
  }

  private static Parameter parameter(Param<?> param) {
    ParamForm<?> form = param.form();
    Schema<Object> schema = new JsonSchema();
    schema.types(Set.of(form.type()));
    schema.setFormat(form.format());
    boolean number = form.type().equals("integer");
    if (form.lowest() != null) {
      if (number) {
        schema.setMinimum(BigDecimal.valueOf(form.lowest()));
      } else {
        schema.setMinLength(form.lowest().intValue());
      }
    }
    if (form.highest() != null) {
      if (number) {
        schema.setMaximum(BigDecimal.valueOf(form.highest()));
      } else {
        schema.setMaxLength(form.highest().intValue());
      }
    }
    boolean list = form.type().equals(ParamForm.ARRAY);
    Schema<Object> element = list ? string(null) : schema;
    form.choices().forEach(element::addEnumItemObject);
    if (list) {
      schema.setItems(element);
    }
    if (param.fallback() != null) {
      schema.setDefault(number ? param.fallback() : String.valueOf(param.fallback()));
    }
    return new Parameter()
        .explode(list ? false : null)
        .name(param.name())
        .in(param.inPath() ? "path" : "query")
        .required(param.inPath())
        .description(param.description())
        .schema(schema);
  }

  private Schema<?> schemaOf(Type type) {
    if (type instanceof ParameterizedType generic) {
      Type[] arguments = generic.getActualTypeArguments();
      Schema<Object> schema = new JsonSchema();
      if (generic.getRawType() == Map.class) {
        schema.types(Set.of("object"));
        schema.setAdditionalProperties(schemaOf(arguments[1]));
      } else {
        schema.types(Set.of("array"));
        schema.setItems(schemaOf(arguments[0]));
      }
      return schema;
    }
    Class<?> of = (Class<?>) type;
    if (of.isRecord()) {
      describe(of);
      return new JsonSchema().$ref("#/components/schemas/" + of.getSimpleName());
    }
    if (of.isEnum()) {
      Schema<Object> schema = string(null);
      Arrays.stream(of.getEnumConstants())
          .map(String::valueOf)
          .filter(name -> !name.equals("UNKNOWN"))
          .forEach(schema::addEnumItemObject);
      return schema;
    }
    return scalar(of);
  }

  private static Schema<Object> scalar(Class<?> of) {
    if (of == int.class || of == Integer.class) {
      return number("integer", "int32");
    }
    if (of == long.class || of == Long.class) {
      return string("int64");
    }
    if (of == double.class || of == Double.class) {
      return number("number", "double");
    }
    if (of == boolean.class || of == Boolean.class) {
      return number("boolean", null);
    }
    if (of == Instant.class) {
      return string("date-time");
    }
    if (of == Duration.class) {
      return string("duration");
    }
    if (of == String.class || of == ZoneId.class) {
      return string(null);
    }
    throw new IllegalArgumentException("no schema is known for " + of);
  }

  private static Schema<Object> number(String type, @Nullable String format) {
    Schema<Object> schema = new JsonSchema();
    schema.types(Set.of(type));
    schema.setFormat(format);
    return schema;
  }

  private static Schema<Object> string(@Nullable String format) {
    return number("string", format);
  }

  private void describe(Class<?> record) {
    Class<?> before = named.putIfAbsent(record.getSimpleName(), record);
    if (before == record) {
      return;
    }
    if (before != null) {
      throw new IllegalArgumentException("two records of one name: " + before + ", " + record);
    }
    Schema<Object> schema = new JsonSchema();
    schemas.put(record.getSimpleName(), schema);
    schema.types(Set.of("object"));
    addFields(schema, record);
  }

  private void addFields(Schema<Object> schema, Class<?> record) {
    boolean hasDefaults =
        Arrays.stream(record.getDeclaredFields())
            .anyMatch(field -> field.isAnnotationPresent(DefaultWhenMissing.class));
    for (RecordComponent component : record.getRecordComponents()) {
      if (component.isAnnotationPresent(Flattened.class)) {
        addFields(schema, component.getType());
        continue;
      }
      schema.addProperty(component.getName(), schemaOf(component.getGenericType()));
      if (!hasDefaults && !component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
        schema.addRequiredItem(component.getName());
      }
    }
  }
}
