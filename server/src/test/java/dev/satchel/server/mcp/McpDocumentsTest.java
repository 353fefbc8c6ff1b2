package dev.satchel.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.TestServer;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import javax.imageio.ImageIO;
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
    void picturesOfTextAreShownWithItFoundAndSearched() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/tesseract")), "tesseract is not installed");
        try (TestServer server =
                TestServer.startWhole(Files.createTempDirectory("satchel-test-"))) {
            String chat = server.newChat();
            McpClient client = McpClient.of(server, chat);
            upload(server, chat, "photo.png", png("Invoice 4711"));
            upload(server, chat, "empty.png", png(""));

            assertThat(client.call("view", Map.of("path", "photo.png")).toString())
                    .contains("\"type\":\"image\"", "Text in the picture (OCR):\\nInvoice 4711");
            assertThat(client.text("view", Map.of("path", "empty.png")))
                    .isEqualTo("Viewed image file successfully.");
            assertThat(client.text("grep", Map.of("pattern", "4711", "output_mode", "content")))
                    .isEqualTo("uploaded/photo.png:1:Invoice 4711");
            server.sweep();
            assertThat(server.getJson("/api/search?q=4711&in=files").at("/hits/0/name"))
                    .hasToString("\"photo.png\"");
        }
    }

    /** A picture of a text. */
    private static byte[] png(String text) throws IOException {
        BufferedImage image = new BufferedImage(900, 300, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        graphics.setColor(Color.WHITE);
        graphics.fillRect(0, 0, image.getWidth(), image.getHeight());
        graphics.setColor(Color.BLACK);
        graphics.setFont(new Font(Font.SERIF, Font.PLAIN, 72));
        graphics.drawString(text, 60, 170);
        graphics.dispose();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ImageIO.write(image, "png", bytes);
        return bytes.toByteArray();
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
