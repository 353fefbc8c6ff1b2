package dev.satchel.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.SandboxLine;
import dev.satchel.runner.document.TestDocuments;
import dev.satchel.runner.model.ModelWireFormat;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What an agent and a server get of documents; sandboxes and parsers are real. */
class DocumentRunTest extends ModelRunFixture {
    private static final ModelWireFormat ANTHROPIC = new ModelWireFormat.Anthropic();
    private static final ModelWireFormat OPENAI = new ModelWireFormat.OpenAi();

    /** A loaded machine may need longer than people should wait. */
    private static final Map<String, String> SETTINGS =
            Map.of(
                    "SATCHEL_PRIVATE_HOSTS", "127.0.0.1,localhost",
                    "SATCHEL_DOCUMENT_HINT_SECONDS", "100");

    @Override
    RunnerConfiguration configuration() {
        return configuration(SETTINGS);
    }

    private String lastRequest() {
        return provider.asked().getLast().body().path("messages").toString();
    }

    private void answer(ModelWireFormat wire, String prompt) throws Exception {
        provider.thenStream(wire.text("Done."));
        assertThat(run(prompt).getLast()).isInstanceOf(SandboxLine.Result.class);
    }

    @Test
    void smallPdfIsSentAsItIsAndTheHintNamesTheTool() throws Exception {
        byte[] pdf = TestDocuments.pdf("one", "two");
        satchel.images.put("report.pdf", pdf);
        use(ANTHROPIC, "key");
        answer(ANTHROPIC, "read");
        assertThat(lastRequest())
                .contains("\"document\"", Base64.getEncoder().encodeToString(pdf))
                .contains("You have it as a document. PDF, 2 pages. Read it with view (pages,");
    }

    @Test
    void modelThatTakesNoPdfGetsTheHint() throws Exception {
        byte[] pdf = TestDocuments.pdf("one", "two");
        satchel.images.put("report.pdf", pdf);
        satchel.images.put("book.xlsx", TestDocuments.workbook(Map.of("Costs", "Rent")));
        satchel.images.put("locked.pdf", TestDocuments.encryptedPdf());
        use(OPENAI, "key");
        answer(OPENAI, "read");
        assertThat(lastRequest())
                .doesNotContain(Base64.getEncoder().encodeToString(pdf))
                .contains("report.pdf. PDF, 2 pages. Read it with view (pages,")
                .contains(
                        "Excel workbook, 1 sheet. Sheets: Costs. Read it with view (sheet, range)")
                .contains("locked.pdf. It cannot be read: ");
    }

    @Test
    void pdfWithMorePagesThanTheSettingIsNotSent() throws Exception {
        Map<String, String> settings = new HashMap<>(SETTINGS);
        settings.put("SATCHEL_PDF_PAGES", "1");
        restart(configuration(settings));
        byte[] pdf = TestDocuments.pdf("one", "two");
        satchel.images.put("report.pdf", pdf);
        use(ANTHROPIC, "key");
        answer(ANTHROPIC, "read");
        assertThat(lastRequest())
                .doesNotContain(Base64.getEncoder().encodeToString(pdf))
                .contains("PDF, 2 pages. Read it with view");
    }

    @Test
    void providerThatRefusesThePdfIsAskedAgainWithTheHint() throws Exception {
        byte[] pdf = TestDocuments.pdf("one");
        satchel.images.put("report.pdf", pdf);
        use(ANTHROPIC, "key");
        provider.thenRefuse(
                400,
                "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"The PDF is not valid\"}}");
        answer(ANTHROPIC, "read");
        String encoded = Base64.getEncoder().encodeToString(pdf);
        assertThat(provider.asked().getFirst().body().toString()).contains(encoded);
        assertThat(provider.asked()).hasSize(2);
        assertThat(lastRequest())
                .doesNotContain(encoded, "You have it as a document")
                .contains("report.pdf. PDF, 1 page. Read it with view");
    }

    @Test
    void agentReadsSearchesAndSeesDocuments() throws Exception {
        satchel.images.put("report.pdf", TestDocuments.pdf("apple", "banana pie"));
        satchel.images.put("book.xlsx", TestDocuments.workbook(Map.of("Costs", "banana")));
        use(OPENAI, "key");
        provider.thenStream(
                OPENAI.toolCall(
                        "",
                        "2",
                        "view",
                        "{\"path\":\"book.xlsx\",\"sheet\":\"Costs\",\"range\":\"A1:A1\"}"));
        provider.thenStream(
                OPENAI.toolCall(
                        "", "3", "grep", "{\"pattern\":\"banana\",\"output_mode\":\"content\"}"));
        provider.thenStream(
                OPENAI.toolCall(
                        "",
                        "4",
                        "view",
                        "{\"path\":\"report.pdf\",\"pages\":\"2\",\"render\":true}"));
        answer(OPENAI, "read");
        assertThat(lastRequest())
                .contains("(Excel workbook, 1 sheet)\\n## sheet Costs\\nrow | A\\n1 | banana\"")
                .contains("book.xlsx:sheet Costs:2:", "report.pdf:page 2:1:banana pie")
                .contains("Page 2 of report.pdf as a picture.", "data:image/");
    }

    @Test
    void serverExtractsWithTheSecretOfTheRunner() throws Exception {
        restart(configuration(Map.of("SANDBOX_TOKEN", "a-secret-of-the-runner")));
        byte[] pdf = TestDocuments.pdf("one");
        assertThat(extract(pdf, "?name=a.pdf", "wrong").statusCode()).isEqualTo(401);
        assertThat(extract(pdf, "", "a-secret-of-the-runner").statusCode()).isEqualTo(400);
        assertThat(extract(pdf, "?name=a.pdf&pages=x", "a-secret-of-the-runner").statusCode())
                .isEqualTo(400);
        HttpResponse<String> lines =
                extract(
                        pdf,
                        "?name=" + URLEncoder.encode("ä b.pdf", StandardCharsets.UTF_8),
                        "a-secret-of-the-runner");
        assertThat(lines.statusCode()).isEqualTo(200);
        assertThat(lines.body())
                .contains("\"format\":\"pdf\"", "\"text\":\"one\"", "{\"type\":\"end\"}");
        HttpResponse<String> picture =
                extract(pdf, "?name=a.pdf&render=1&side=200", "a-secret-of-the-runner");
        assertThat(picture.body()).contains("\"type\":\"picture\"");
    }

    private HttpResponse<String> extract(byte[] body, String query, String secret)
            throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(
                                URI.create(
                                        "http://127.0.0.1:" + runner.port() + "/extract" + query))
                        .header("Authorization", "Bearer " + secret)
                        .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                        .build();
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        }
    }
}
