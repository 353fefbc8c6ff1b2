package dev.satchel.server.deploy;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.runner.RunnerConfiguration;
import dev.satchel.server.configuration.ConfigurationReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** The compose file as far as it can be checked without pulling PostgreSQL's image. */
class ComposeTest {
    private static final Path FILE = Path.of("../deploy/compose.yaml");

    @Test
    void theServerUnderstandsTheVariablesItIsGiven() throws Exception {
        assertThat(
                        ConfigurationReader.read(Map.of(), List.of(), variables("server"))
                                .unknownVariables())
                .isEmpty();
    }

    @Test
    void theRunnerUnderstandsTheVariablesItIsGiven() throws Exception {
        RunnerConfiguration runner = RunnerConfiguration.from(variables("runner"), List.of());

        assertThat(runner.listener().port()).isEqualTo(8090);
        assertThat(runner.listener().secret()).isEqualTo(variables("server").get("SANDBOX_TOKEN"));
    }

    @Test
    void theHeapsHaveAShareOfTheMemory() throws Exception {
        for (String name : List.of("server", "runner")) {
            assertThat(service(name)).containsKey("mem_limit");
            assertThat(variables(name).get("SATCHEL_JAVA_OPTIONS"))
                    .startsWith("-XX:MaxRAMPercentage=");
        }
    }

    @Test
    void theAddressForBrowsersHasTheChosenPort() throws Exception {
        Map<?, ?> environment = (Map<?, ?>) requireNonNull(service("server").get("environment"));
        String address = String.valueOf(environment.get("SATCHEL_PUBLIC_URL"));

        assertThat(substituted(address)).isEqualTo("http://127.0.0.1:8080");
        assertThat(substituted(address.replace("${SATCHEL_PORT:-8080}", "9000")))
                .isEqualTo("http://127.0.0.1:9000");
    }

    @Test
    void noServiceHasACapability() throws Exception {
        for (String name : List.of("server", "runner")) {
            assertThat(service(name)).containsEntry("cap_drop", List.of("ALL"));
        }
    }

    @Test
    void systemCallsAreFiltered() throws Exception {
        assertThat(service("server").get("security_opt")).isEqualTo(List.of("no-new-privileges"));
        String options = String.valueOf(service("runner").get("security_opt"));

        assertThat(substituted(options)).contains("no-new-privileges", "seccomp=seccomp.json");
        assertThat(FILE.resolveSibling("seccomp.json")).exists();
    }

    /** With every variable of the compose file's own set or at its default. */
    private static Map<String, String> variables(String service) throws IOException {
        Map<?, ?> environment = (Map<?, ?>) requireNonNull(service(service).get("environment"));
        return environment.entrySet().stream()
                .filter(entry -> entry.getValue() != null) // handed through if it is set
                .collect(
                        Collectors.toMap(
                                entry -> entry.getKey().toString(),
                                entry -> substituted(entry.getValue().toString())));
    }

    /** Default values may have default values themselves, so the innermost go first. */
    private static String substituted(String value) {
        String result = value.replaceAll("\\$\\{\\w+:\\?[^}]*}", "chosen-by-the-operator");
        String before;
        do {
            before = result;
            result = before.replaceAll("\\$\\{\\w+:-([^${}]*)}", "$1");
        } while (!result.equals(before));
        return result;
    }

    private static Map<String, Object> service(String name) throws IOException {
        Map<String, Map<String, Map<String, Object>>> file =
                new Yaml().load(Files.readString(FILE));
        return requireNonNull(requireNonNull(file.get("services")).get(name));
    }
}
