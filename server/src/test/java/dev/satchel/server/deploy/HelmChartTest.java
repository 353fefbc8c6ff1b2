package dev.satchel.server.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import com.marcnuri.helm.TemplateCommand;
import dev.satchel.server.configuration.ConfigurationReader;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesList;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** Rendered by Helm itself and read into the types of the Kubernetes API; no cluster takes part. */
class HelmChartTest {
    private static final Path CHART = Path.of("../deploy/helm/satchel").toAbsolutePath();

    @Test
    void helmFindsNothingToComplainOf() {
        LintResult result = new Helm(CHART).lint().strict().call();

        assertThat(result.isFailed()).as(String.join("\n", result.getMessages())).isFalse();
    }

    @Test
    void whatMustBeGivenIsAskedFor() {
        assertThatThrownBy(() -> new Helm(CHART).template().withKubeVersion("1.33.0").call())
                .hasMessageContaining("our address as browsers see it");
    }

    @Test
    void theServersHaveProbesAndABudget() {
        List<HasMetadata> all = render(usual());
        Container server = server(all);

        assertThat(server.getReadinessProbe().getHttpGet().getPath()).isEqualTo("/readyz");
        assertThat(server.getLivenessProbe().getHttpGet().getPath()).isEqualTo("/livez");
        assertThat(server.getStartupProbe()).isNotNull();
        assertThat(
                        only(all, Deployment.class)
                                .getSpec()
                                .getTemplate()
                                .getSpec()
                                .getTerminationGracePeriodSeconds())
                .as("longer than the drain")
                .isEqualTo(50L);
        assertThat(only(all, PodDisruptionBudget.class).getSpec().getMinAvailable().getIntVal())
                .isEqualTo(1);
    }

    @Test
    void theHeapHasAShareOfTheMemoryUnlessTheOperatorSetsOptions() {
        assertThat(javaOptions(usual())).containsExactly("-XX:MaxRAMPercentage=60");
        assertThat(javaOptions(usual().set("heapPercent", "70")))
                .containsExactly("-XX:MaxRAMPercentage=70");
        assertThat(javaOptions(usual().set("env.SATCHEL_JAVA_OPTIONS", "-Xmx2g")))
                .containsExactly("-Xmx2g");
    }

    private static List<String> javaOptions(TemplateCommand chart) {
        return server(render(chart)).getEnv().stream()
                .filter(variable -> variable.getName().equals("SATCHEL_JAVA_OPTIONS"))
                .map(EnvVar::getValue)
                .toList();
    }

    @Test
    void theServersMayMakePodsAndNothingElse() {
        Role role = only(render(usual()), Role.class);

        assertThat(role.getRules()).hasSize(1);
        assertThat(role.getRules().getFirst().getResources()).containsExactly("pods");
    }

    @Test
    void aRunsPodIsCalledByTheServersAlone() {
        NetworkPolicy policy =
                render(usual()).stream()
                        .filter(NetworkPolicy.class::isInstance)
                        .map(NetworkPolicy.class::cast)
                        .filter(it -> it.getMetadata().getName().endsWith("-sandboxes"))
                        .findFirst()
                        .orElseThrow();

        assertThat(policy.getSpec().getPolicyTypes()).containsExactly("Ingress", "Egress");
        assertThat(policy.getSpec().getPodSelector().getMatchLabels())
                .containsEntry("app.kubernetes.io/name", "satchel-sandbox");
        assertThat(
                        policy.getSpec()
                                .getIngress()
                                .getFirst()
                                .getFrom()
                                .getFirst()
                                .getPodSelector()
                                .getMatchLabels())
                .containsEntry("app.kubernetes.io/name", "satchel");
    }

    @Test
    void serversReachEachOtherEvenIfOnlySomeClientsMay() {
        TemplateCommand chart =
                usual().set("networkPolicy.serverFrom[0].ipBlock.cidr", "192.0.2.0/24");
        NetworkPolicy policy =
                render(chart).stream()
                        .filter(NetworkPolicy.class::isInstance)
                        .map(NetworkPolicy.class::cast)
                        .filter(it -> it.getMetadata().getName().endsWith("-server"))
                        .findFirst()
                        .orElseThrow();

        assertThat(policy.getSpec().getIngress().getFirst().getFrom())
                .hasSize(3)
                .filteredOn(
                        peer -> peer.getNamespaceSelector() == null && peer.getIpBlock() == null)
                .singleElement()
                .satisfies(
                        peer ->
                                assertThat(peer.getPodSelector().getMatchLabels())
                                        .isEqualTo(
                                                policy.getSpec()
                                                        .getPodSelector()
                                                        .getMatchLabels()));
    }

    @Test
    void theSecretKeyOfTheServersComesFromASecret() {
        Container server = server(render(usual().set("secretKey.existingSecret", "credentials")));

        assertThat(server.getEnv())
                .filteredOn(it -> it.getName().equals("SATCHEL_SECRET_KEY"))
                .singleElement()
                .satisfies(
                        it ->
                                assertThat(it.getValueFrom().getSecretKeyRef().getName())
                                        .isEqualTo("credentials"));
    }

    @Test
    void theReadmeHasEveryValue() throws Exception {
        String readme = Files.readString(CHART.resolve("README.md"));
        Map<String, Object> values =
                new Yaml().load(Files.readString(CHART.resolve("values.yaml")));

        assertThat(names("", values)).isNotEmpty().allMatch(it -> readme.contains("`" + it + "`"));
    }

    /** The names of the values, down to those that the chart itself reads. */
    private static List<String> names(String before, Map<?, ?> values) {
        return values.entrySet().stream()
                .flatMap(
                        entry -> {
                            String name = before + entry.getKey();
                            return entry.getValue() instanceof Map<?, ?> inner
                                            && !inner.isEmpty()
                                            && !name.equals("resources")
                                    ? names(name + ".", inner).stream()
                                    : Stream.of(name);
                        })
                .toList();
    }

    @Test
    void aServerUnderstandsTheVariablesItIsGiven() throws Exception {
        for (TemplateCommand chart : List.of(usual(), warm())) {
            Map<String, String> variables =
                    server(render(chart)).getEnv().stream()
                            .collect(Collectors.toMap(EnvVar::getName, HelmChartTest::value));

            assertThat(ConfigurationReader.read(Map.of(), List.of(), variables).unknownVariables())
                    .isEmpty();
        }
    }

    @Test
    void aWarmPoolComesWithItsTemplateAndTheRightToClaim() {
        List<HasMetadata> all = render(warm());

        assertThat(all)
                .extracting(HasMetadata::getKind)
                .contains("SandboxTemplate", "SandboxWarmPool");
        assertThat(only(all, Role.class).getRules().getFirst().getResources())
                .containsExactly("sandboxclaims");
    }

    @Test
    void thePodsOfRunsHaveTheProfileThatTheOperatorNames() {
        assertThat(profile(usual())).isEmpty();
        assertThat(profile(usual().set("sandbox.seccompProfile", "satchel.json")))
                .containsExactly("satchel.json");
        assertThat(warm().call()).contains("type: Unconfined");
        assertThat(warm().set("sandbox.seccompProfile", "satchel.json").call())
                .contains("type: Localhost", "localhostProfile: satchel.json")
                .doesNotContain("Unconfined");
    }

    private static List<String> profile(TemplateCommand chart) {
        return server(render(chart)).getEnv().stream()
                .filter(it -> it.getName().equals("SATCHEL_KUBERNETES_SECCOMP_PROFILE"))
                .map(EnvVar::getValue)
                .toList();
    }

    @Test
    void theIngressIsMadeWhenAskedFor() {
        List<HasMetadata> all =
                render(usual().set("ingress.enabled", "true").set("ingress.host", "a.example"));

        assertThat(only(all, Ingress.class).getSpec().getRules().getFirst().getHost())
                .isEqualTo("a.example");
    }

    /** fabric8 collects the fields that a type of the API does not have. */
    @Test
    void everyFieldIsOneOfTheApi() throws Exception {
        for (HasMetadata resource : render(usual())) {
            assertThat(UnknownFields.of(resource)).as(resource.getKind()).isEmpty();
        }
    }

    private static TemplateCommand usual() {
        return new Helm(CHART)
                .template()
                .withName("satchel")
                .withNamespace("chats")
                .withKubeVersion("1.33.0")
                .set("publicUrl", "https://satchel.example")
                .set("database.existingSecret", "database")
                .set("s3.bucket", "files")
                .set("s3.existingSecret", "bucket")
                .set("apiKey.existingSecret", "key")
                .set("sandbox.workspacesClaim", "workspaces");
    }

    private static TemplateCommand warm() {
        return usual().set("sandbox.warmPool.enabled", "true")
                .set("sandbox.warmPool.tokenSecret", "pool");
    }

    private static List<HasMetadata> render(TemplateCommand chart) {
        KubernetesSerialization serialization = new KubernetesSerialization();
        return Arrays.stream(chart.call().split("(?m)^---$"))
                .filter(document -> document.contains("kind:"))
                .map(document -> (HasMetadata) read(serialization, document))
                .toList();
    }

    private static Object read(KubernetesSerialization serialization, String document) {
        Object read =
                serialization.unmarshal(
                        new ByteArrayInputStream(document.getBytes(StandardCharsets.UTF_8)));
        return read instanceof KubernetesList list ? list.getItems().getFirst() : read;
    }

    private static Container server(List<HasMetadata> all) {
        return only(all, Deployment.class)
                .getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .getFirst();
    }

    private static String value(EnvVar variable) {
        if (variable.getName().equals("DATABASE_URL")) {
            return "postgresql://user@database:5432/satchel";
        }
        return Objects.requireNonNullElse(variable.getValue(), "value-of-a-secret");
    }

    private static <T extends HasMetadata> T only(List<HasMetadata> all, Class<T> type) {
        List<T> found = all.stream().filter(type::isInstance).map(type::cast).toList();
        assertThat(found).hasSize(1);
        return found.getFirst();
    }
}
