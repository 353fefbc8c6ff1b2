package dev.satchel.server.metric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.model.ModelsFileParser;
import dev.satchel.server.testing.DebianTool;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The files of deploy/monitoring and docs/METRICS.md, and what {@code /metrics} has. */
@Timeout(120)
class MonitoringTest {
    private static final Path FOLDER = Path.of("../deploy/monitoring");
    private static final Path DOCUMENT = Path.of("../docs/METRICS.md");
    private static final Pattern NAME =
            Pattern.compile(
                    "\\b(?:satchel|hikaricp|jvm|process|http_server)_[a-z0-9_]*[a-z0-9](?![a-z0-9_])");

    private static final String MODELS =
            """
            {"models":[{"id":"deep","provider":"anthropic","name":"claude-opus-4-6",
                        "price":{"input":5,"output":25,"cacheRead":0.5,"cacheWrite":6.25}}]}
            """;

    @TempDir private Path data;

    @Test
    void everyAlertFiresAsItsTestExpects() throws Exception {
        String promtool = DebianTool.find("usr/bin/promtool").toString();

        assertThat(run(promtool, "check", "rules", "rules.yml")).contains("SUCCESS");
        assertThat(run(promtool, "test", "rules", "rules-test.yml")).contains("SUCCESS");
    }

    @Test
    void everyAlertHasATestInWhichItFires() throws Exception {
        Set<String> alerts = found("rules.yml", "- alert: (\\w+)\n");
        Set<String> fired =
                found("rules-test.yml", "alertname: (\\w+)\\s+exp_alerts:\\s+- exp_labels");

        assertThat(fired).isEqualTo(alerts).contains("SatchelTurnsFail");
    }

    @Test
    void theDashboardHasWhatGrafanaNeeds() throws Exception {
        JsonNode dashboard = Json.MAPPER.readTree(Files.readString(file("dashboard.json")));

        assertThat(dashboard.get("title").stringValue()).isEqualTo("Satchel");
        assertThat(dashboard.get("schemaVersion").intValue()).isGreaterThanOrEqualTo(36);
        Set<Integer> ids = new HashSet<>();
        Set<String> cells = new HashSet<>();
        for (JsonNode panel : dashboard.get("panels")) {
            assertThat(ids.add(panel.get("id").intValue())).isTrue();
            assertThat(panel.get("title").stringValue()).isNotBlank();
            assertThat(panel.get("type").stringValue()).isIn("row", "stat", "timeseries");
            JsonNode place = panel.get("gridPos");
            int width = place.get("w").intValue();
            assertThat(place.get("x").intValue() + width).isLessThanOrEqualTo(24);
            for (int x = 0; x < width; x++) {
                for (int y = 0; y < place.get("h").intValue(); y++) {
                    String cell =
                            (place.get("x").intValue() + x) + "," + (place.get("y").intValue() + y);
                    assertThat(cells.add(cell)).as("two panels at " + cell).isTrue();
                }
            }
            if (!panel.get("type").stringValue().equals("row")) {
                assertThat(panel.get("targets")).isNotEmpty();
                for (JsonNode target : panel.get("targets")) {
                    assertThat(target.get("expr").stringValue()).contains("job=\"$job\"");
                    assertThat(target.get("datasource").get("uid").stringValue())
                            .isEqualTo("${datasource}");
                }
            }
        }
        List<String> variables = new ArrayList<>();
        dashboard
                .get("templating")
                .get("list")
                .forEach(it -> variables.add(it.get("name").stringValue()));
        assertThat(variables).containsExactly("datasource", "job");
    }

    /** After a turn that succeeds, one that fails, and a call of a model that is repeated. */
    @Test
    void everyMetricOfTheFilesIsThere() throws Exception {
        String page = metricsAfterTurns();
        Set<String> wanted = new TreeSet<>();
        for (Path file : List.of(file("rules.yml"), file("dashboard.json"), DOCUMENT)) {
            Matcher names = NAME.matcher(Files.readString(file));
            while (names.find()) {
                wanted.add(names.group());
            }
        }
        wanted.removeIf(
                name -> page.contains("\n" + name + "{") || page.contains("\n" + name + " "));
        wanted.removeIf(name -> page.contains("\n" + name + "_count")); // a time as a whole

        // those of rare events, and of what is not configured
        assertThat(wanted)
                .containsExactlyInAnyOrder(
                        "satchel_run_continuations_total", "satchel_spans_dropped_total");
    }

    @Test
    void everyMetricOfOursIsInTheDocument() throws Exception {
        String document = Files.readString(DOCUMENT);
        Set<String> missing = new TreeSet<>();
        metricsAfterTurns()
                .lines()
                .filter(line -> line.startsWith("# TYPE satchel_"))
                .map(line -> line.split(" ", 4)[2].replaceAll("_max$", ""))
                .filter(name -> !document.contains("`" + name + "`"))
                .forEach(missing::add);

        assertThat(missing).isEmpty();
    }

    @Test
    void failedTurnsAreCountedByCode() throws Exception {
        assertThat(metricsAfterTurns())
                .contains(
                        "satchel_runs_total{outcome=\"succeeded\"} 1.0",
                        "satchel_runs_total{outcome=\"failed\"} 1.0",
                        "satchel_runs_total{outcome=\"cancelled\"} 0.0",
                        "satchel_run_errors_total{code=\"model_auth\",outcome=\"failed\"} 1.0",
                        "satchel_runs_active{state=\"running\"} 0.0",
                        "satchel_runs_active{state=\"waiting\"} 0.0",
                        "satchel_runs_active{state=\"parked\"} 0.0",
                        "satchel_run_queue_seconds_count 2",
                        "satchel_run_first_event_seconds_count 2",
                        "satchel_sandbox_start_seconds_count 2",
                        "satchel_run_leases_lost_total 0.0",
                        "satchel_snapshots_pending 0.0",
                        "satchel_model_cost_dollars_total{model=\"deep\"} 7.65E-4",
                        "satchel_tenant_stored_bytes{tenant=\"default\"}");
    }

    @Test
    void aRunnerCannotMakeLabelsWithoutEnd() {
        BoundedLabels labels = new BoundedLabels();
        Set<String> shown = new HashSet<>();
        for (int i = 0; i < 1_000; i++) {
            shown.add(labels.of("code_" + i));
        }

        assertThat(shown).hasSize(BoundedLabels.MAX_VALUES + 1).contains(BoundedLabels.OTHER);
        assertThat(labels.of("code_1")).isEqualTo("code_1");
        assertThat(new BoundedLabels().of("a \"quoted\" text")).isEqualTo(BoundedLabels.OTHER);
    }

    private String metricsAfterTurns() throws Exception {
        try (ScriptedSandbox sandbox = new ScriptedSandbox();
                TestServer server = TestServer.start(configuration(sandbox), Clock.systemUTC())) {
            try (Events events = server.turn(Map.of("message", "one"))) {
                sandbox.next()
                        .say(
                                json(
                                        "{'type':'retry','attempt':1,'delayMs':1,'code':'model_error',"
                                                + "'message':'busy'}"))
                        .say(
                                json(
                                        "{'type':'usage','model':'deep','provider':'p','inputTokens':100,"
                                                + "'outputTokens':10,'cacheReadTokens':5,'cacheWriteTokens':2}"))
                        .answers("done");
                assertThat(events.rest()).isNotEmpty();
            }
            try (Events events = server.turn(Map.of("message", "two"))) {
                sandbox.next()
                        .say(json("{'type':'error','code':'model_auth','message':'no'}"))
                        .hangsUp();
                assertThat(events.rest()).isNotEmpty();
            }
            server.upload(server.newChat(), "a.txt", "hello");
            String page = server.get("/metrics").body();
            while (!page.contains("http_server_request_duration_seconds_count{")
                    || !page.contains("satchel_runs_active{state=\"running\"} 0.0")) {
                page = server.get("/metrics").body(); // a request is counted after its answer
            }
            return page;
        }
    }

    private Configuration configuration(ScriptedSandbox sandbox) {
        return TestConfiguration.withModels(
                TestServer.configuration(data, null, sandbox.url()),
                ModelsFileParser.parse(MODELS, new ArrayList<>()));
    }

    private static String json(String text) {
        return text.replace('\'', '"');
    }

    private static Path file(String name) {
        return FOLDER.resolve(name);
    }

    private static Set<String> found(String name, String pattern) throws IOException {
        Set<String> found = new TreeSet<>();
        Matcher matcher = Pattern.compile(pattern).matcher(Files.readString(file(name)));
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
        return found;
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(command)
                        .directory(FOLDER.toFile())
                        .redirectErrorStream(true)
                        .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
