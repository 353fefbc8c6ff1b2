package dev.satchel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.cli.SatchelProcess.Outcome;
import dev.satchel.cli.common.ExitCode;
import dev.satchel.client.ClientJson;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** Credentials in the terminal, with a service whose login a browser without a session visits. */
@Timeout(180)
class CredentialsTest {
    private static final String SECRET = "glpat-4711-very-secret";
    private static final String AGENT =
            """
            {"name": "maintainer", "mcpServers":
              {"git": {"type": "http", "url": "https://git.test/mcp", "credential": "github"}}}
            """;

    private static TrackerService service;
    private static SatchelProcess satchel;

    @BeforeAll
    static void start() throws IOException {
        service = new TrackerService();
        satchel = SatchelProcess.start(Map.of("SATCHEL_PRIVATE_HOSTS", "127.0.0.1"));
    }

    @AfterAll
    static void stop() {
        satchel.close();
        service.close();
    }

    @Test
    void aValueComesFromStandardInputAndIsNeverPrinted() throws Exception {
        Outcome stored = set("github", SECRET + "\n");
        assertThat(stored.code()).as(stored.err()).isZero();
        assertThat(stored.out()).isEqualTo("github\n");
        assertThat(set("github", SECRET + "-2").code()).isZero();
        assertThat(set("github", "\n").code()).isEqualTo(ExitCode.WRONG_USE);
        satchel.file("agent.json", AGENT);
        assertThat(satchel.run("agents", "create", "agent.json").code()).isZero();

        Outcome listed = satchel.run("credentials");
        assertThat(listed.out()).contains("github", "value", "maintainer", "stored");
        assertThat(listed.out() + satchel.run("credentials", "ls", "--json").out())
                .doesNotContain(SECRET);

        Outcome used = satchel.run("credentials", "rm", "github");
        assertThat(used.code()).isEqualTo(ExitCode.CONFLICT);
        assertThat(used.err()).contains("agents use github: maintainer");
        assertThat(satchel.run("credentials", "rm", "github", "--force").code()).isZero();
        assertThat(satchel.run("credentials", "rm", "github").code()).isEqualTo(ExitCode.NOT_FOUND);
    }

    @Test
    void aValueThatIsTypedIsNotShown() throws Exception {
        try (PseudoTerminal terminal =
                PseudoTerminal.start(
                        satchel.home(),
                        Map.of(),
                        SatchelProcess.java(
                                "dev.satchel.cli.Main",
                                satchel.withServer("credentials", "set", "typed")))) {
            terminal.await("Value of typed: ");
            terminal.line(SECRET);
            assertThat(terminal.end()).as(terminal.seen()).isZero();
            assertThat(terminal.seen()).doesNotContain(SECRET);
        }
        assertThat(satchel.run("credentials", "ls", "--json").out()).contains("\"typed\"");
    }

    @Test
    void aBrowserOnThisMachineBringsTheLoginAndNeedsNoSession() throws Exception {
        assertThat(satchel.run("credentials", "login", "here").code())
                .isEqualTo(ExitCode.NOT_FOUND);
        Process login = login("here", "--resource", service.url("/mcp"));
        try (BufferedReader lines = login.inputReader(StandardCharsets.UTF_8)) {
            URI address = URI.create(lines.readLine());
            HttpResponse<String> service = browse(address);
            URI back = URI.create(service.headers().firstValue("Location").orElseThrow());
            assertThat(back.toString()).startsWith("http://127.0.0.1:").contains("/callback?");
            URI foreign = URI.create(back.toString().replace("state=", "state=x"));
            assertThat(browse(foreign).statusCode()).isEqualTo(400);

            assertThat(browse(back).statusCode()).isEqualTo(200);
            assertThat(lines.readLine()).isEqualTo("here is connected");
            assertThat(login.waitFor()).isZero();
        }
        assertThat(satchel.run("credentials").out()).contains("connected");
    }

    @Test
    void anAddressThatABrowserElsewhereGotIsPasted() throws Exception {
        Process login = login("elsewhere", "--resource", service.url("/mcp"), "--elsewhere");
        try (BufferedReader lines = login.inputReader(StandardCharsets.UTF_8);
                BufferedWriter typed = login.outputWriter(StandardCharsets.UTF_8)) {
            URI address = URI.create(lines.readLine());
            String back = browse(address).headers().firstValue("Location").orElseThrow();
            assertThat(back).startsWith(satchel.url() + "/connect?");
            assertThat(browse(URI.create(back)).statusCode()).isEqualTo(200);
            assertThat(credential("elsewhere").has("problem")).isTrue();

            typed.write("https://evil.test/?code=c&state=other.elsewhere\n" + back + "\n");
            typed.flush();
            assertThat(lines.readLine()).isEqualTo("elsewhere is connected");
            assertThat(login.waitFor()).isZero();
        }
        assertThat(credential("elsewhere").has("problem")).isFalse();
    }

    @Test
    void theTerminalSeesThatThePageHasFinishedTheLogin() throws Exception {
        Process login = login("page", "--resource", service.url("/mcp"), "--elsewhere");
        try (BufferedReader lines = login.inputReader(StandardCharsets.UTF_8)) {
            URI address = URI.create(lines.readLine());
            String back = browse(address).headers().firstValue("Location").orElseThrow();
            String query = URI.create(back).getQuery();
            Map<String, String> answer =
                    Map.of(
                            "code", query.replaceAll(".*code=([^&]*).*", "$1"),
                            "state", query.replaceAll(".*state=([^&]*).*", "$1"));
            HttpRequest finish =
                    HttpRequest.newBuilder(satchel.url().resolve("/api/credentials/authorizations"))
                            .header("Authorization", "Bearer " + key())
                            .POST(
                                    BodyPublishers.ofString(
                                            ClientJson.MAPPER.writeValueAsString(answer)))
                            .build();
            try (HttpClient client = HttpClient.newHttpClient()) {
                assertThat(client.send(finish, BodyHandlers.ofString()).statusCode())
                        .isEqualTo(200);
            }
            assertThat(lines.readLine()).isEqualTo("page is connected");
            assertThat(login.waitFor()).isZero();
        }
    }

    private static String key() throws IOException {
        return Files.readString(satchel.data().resolve("api-key")).strip();
    }

    private static Process login(String... arguments) throws IOException {
        String[] words = new String[arguments.length + 2];
        words[0] = "credentials";
        words[1] = "login";
        System.arraycopy(arguments, 0, words, 2, arguments.length);
        return satchel.start(satchel.withServer(words));
    }

    private static Outcome set(String name, String value) throws Exception {
        Process set = satchel.start(satchel.withServer("credentials", "set", name));
        try (BufferedWriter input = set.outputWriter(StandardCharsets.UTF_8)) {
            input.write(value);
        }
        return SatchelProcess.finish(set);
    }

    private static JsonNode credential(String name) throws Exception {
        return satchel.run("credentials", "ls", "--json").lines().stream()
                .map(ClientJson.MAPPER::readTree)
                .filter(node -> node.get("name").stringValue().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** A browser without any cookie. */
    private static HttpResponse<String> browse(URI address) throws Exception {
        try (HttpClient browser = HttpClient.newHttpClient()) {
            return browser.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString());
        }
    }
}
