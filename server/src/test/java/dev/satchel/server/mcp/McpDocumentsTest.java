package dev.satchel.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.TestServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Map;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.font.PDType1Font;
import org.apache.pdfbox.pdmodel.font.Standard14Fonts.FontName;
import org.junit.jupiter.api.Test;

/** Documents of a conversation through {@code /mcp}, read by an embedded runner. */
class McpDocumentsTest {
    private static final String MAIL =
            "From: a@example.org\nTo: b@example.org\nSubject: Pie\nMIME-Version: 1.0\n"
                    + "Content-Transfer-Encoding: base64\nContent-Type: text/plain\n\n"
                    + "YmFuYW5hIHBpZQ==\n";

    private static byte[] pdf(String... pages) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PDDocument document = new PDDocument()) {
            for (String text : pages) {
                PDPage page = new PDPage();
                document.addPage(page);
                try (PDPageContentStream content = new PDPageContentStream(document, page)) {
                    content.beginText();
                    content.setFont(new PDType1Font(FontName.HELVETICA), 12);
                    content.newLineAtOffset(60, 700);
                    content.showText(text);
                    content.endText();
                }
            }
            document.save(bytes);
        }
        return bytes.toByteArray();
    }

    private static void upload(TestServer server, String chat, String name, byte[] bytes)
            throws Exception {
        server.send(
                server.request("/api/assistant/chats/" + chat + "/files")
                        .header("Content-Type", MultipartBody.CONTENT_TYPE)
                        .POST(new MultipartBody().file(name, bytes).publisher())
                        .build());
    }

    @Test
    void viewAndGrepReadDocuments() throws Exception {
        try (TestServer server =
                TestServer.startWhole(Files.createTempDirectory("satchel-test-"))) {
            String chat = server.newChat();
            McpClient client = McpClient.of(server, chat);
            upload(server, chat, "report.pdf", pdf("apple", "banana split"));
            upload(server, chat, "mail.eml", MAIL.getBytes(StandardCharsets.UTF_8));

            assertThat(client.text("view", Map.of("path", "report.pdf")))
                    .isEqualTo("(PDF, 2 pages)\n## page 1\napple\n\n## page 2\nbanana split");
            assertThat(client.text("view", Map.of("path", "report.pdf", "pages", "2")))
                    .isEqualTo("(PDF, 2 pages)\n## page 2\nbanana split");
            assertThat(client.text("grep", Map.of("pattern", "banana", "output_mode", "content")))
                    .contains("uploaded/report.pdf:page 2:1:banana split")
                    .contains("banana pie");
            assertThat(
                            client.call(
                                            "view",
                                            Map.of(
                                                    "path", "report.pdf",
                                                    "pages", "1",
                                                    "render", true))
                                    .toString())
                    .contains("\"type\":\"image\"");
        }
    }

    @Test
    void serverWithoutARunnerSaysSo() throws Exception {
        try (TestServer server =
                TestServer.start(Files.createTempDirectory("satchel-test-"), null, null)) {
            String chat = server.newChat();
            upload(server, chat, "report.pdf", pdf("apple"));
            assertThat(
                            McpClient.of(server, chat)
                                    .call("view", Map.of("path", "report.pdf"))
                                    .toString())
                    .contains("Cannot read report.pdf. Documents are not read")
                    .contains("no runner");
        }
    }
}
