package io.quiver.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.http.AccessControl;
import io.quiver.http.Role;
import io.quiver.http.Route;
import io.quiver.manager.ManagerEndpoint;
import io.quiver.server.metrics.Endpoint;
import io.quiver.store.ssd.RecoveryProgress;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every call of server and manager is held to the table of roles, and so is the page about it. */
class EndpointTableTest {
  @TempDir Path folder;

  @Test
  void everyCallOfARunningNodeIsForTheRolesOfTheTable() throws Exception {
    StringBuilder lines = new StringBuilder();
    for (Role role : Role.values()) {
      lines.append(token(role)).append(' ').append(role.label()).append(" somebody\n");
    }
    Path tokens = Files.writeString(folder.resolve("tokens"), lines);
    NodeConfig config =
        new NodeConfig(
                "127.0.0.1",
                0,
                1,
                List.of(folder.resolve("data")),
                new Capacity.Absolute(64 << 20),
                Optional.empty())
            .withAccess(AccessControl.of(tokens));
    try (Node node = Node.start(config, InstantSource.system(), RecoveryProgress.NONE);
        HttpClient client = HttpClient.newHttpClient()) {
      check(client, node.uri(), List.of(ManagerEndpoint.values()));
      check(client, node.servers().getFirst().uri(), Endpoint.table());
    }
  }

  private static String token(Role role) {
    return "token-of-some-" + role.label();
  }

  private static void check(HttpClient client, URI address, List<? extends Route> routes)
      throws Exception {
    for (Route route : routes) {
      boolean everybody = route.roles().isEmpty();
      assertThat(status(client, address, route, ""))
          .as("%s without a token", route)
          .matches(status -> (status == 401) != everybody);
      for (Role role : Role.values()) {
        boolean allowed = everybody || role == Role.OPERATOR || route.roles().contains(role);
        assertThat(status(client, address, route, token(role)))
            .as("%s as %s", route, role)
            .matches(status -> status != 401 && (status == 403) != allowed);
      }
    }
  }

  private static int status(HttpClient client, URI address, Route route, String token)
      throws Exception {
    String path = route.path().replaceAll("\\{[a-z]+}", "x");
    HttpRequest.Builder request =
        HttpRequest.newBuilder(address.resolve(path))
            .timeout(Duration.ofSeconds(20))
            .method(route.method(), HttpRequest.BodyPublishers.noBody());
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    HttpResponse<InputStream> answer =
        client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    answer.body().close(); // a stream of events would go on
    return answer.statusCode();
  }

  @Test
  void thePageAboutTheWireHasTheSameTable() throws Exception {
    Path page =
        Path.of(System.getProperty("quiver.test.vectors")).resolveSibling("docs/wire-protocol.md");
    List<String> lines = new ArrayList<>();
    for (String line : Files.readAllLines(page)) {
      String[] cells = line.split("\\|", -1);
      if (cells.length > 3 && cells[1].matches(" `(GET|PUT|POST|DELETE) /.*` ")) {
        lines.add(cells[1].replace("`", "").strip() + " | " + cells[2].strip());
      }
    }
    List<String> expected = new ArrayList<>();
    Endpoint.table().forEach(route -> expected.add(line(route)));
    List.of(ManagerEndpoint.values()).forEach(route -> expected.add(line(route)));
    assertThat(lines).containsExactlyElementsOf(expected);
  }

  private static String line(Route route) {
    String roles =
        route.roles().isEmpty()
            ? "everybody"
            : String.join(", ", route.roles().stream().sorted().map(Role::label).toList());
    return route.method() + " " + route.path() + " | " + roles;
  }
}
