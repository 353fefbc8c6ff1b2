package dev.satchel.server.document;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.TestServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The text of files with real sandboxes. */
class FileTextTest {
    @TempDir private static Path data;
    private static TestServer server;

    @BeforeAll
    static void start() throws Exception {
        server = TestServer.startWhole(data);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void theTextOfADocumentIsFoundAndShownByPage() throws Exception {
        String chat = server.newChat();
        String content = pdf("The first page", "The aardvark of Bern digs");
        String file = server.upload(chat, "zoo.pdf", content).get("id").stringValue();
        String text = "/api/assistant/chats/" + chat + "/files/" + file + "/text";
        assertThat(server.getJson(text).get("status").stringValue()).isIn("pending", "ready");

        server.sweep();

        JsonNode read = server.getJson(text);
        assertThat(read.get("status").stringValue()).as("%s", read).isEqualTo("ready");
        assertThat(read.get("format").stringValue()).isEqualTo("pdf");
        assertThat(read.get("parts").size()).isEqualTo(2);
        assertThat(server.getJson(text + "?page=2").at("/parts/0/text").stringValue())
                .contains("aardvark");
        JsonNode hit = server.getJson("/api/search?q=bern+aardvark").at("/hits/0");
        assertThat(hit.get("fileId").stringValue()).isEqualTo(file);
        assertThat(hit.get("name").stringValue()).isEqualTo("zoo.pdf");
        assertThat(hit.get("page").intValue()).isEqualTo(2);
        assertThat(hit.get("snippet").stringValue()).contains("The aardvark of Bern");
        assertThat(server.getJson("/api/storage").at("/texts/count").longValue()).isEqualTo(1);
    }

    /** A document with a line of text on each page. */
    private static String pdf(String... pages) {
        List<String> objects = new ArrayList<>();
        StringBuilder kids = new StringBuilder();
        for (int i = 0; i < pages.length; i++) {
            kids.append(4 + 2 * i).append(" 0 R ");
        }
        objects.add("<</Type/Catalog/Pages 2 0 R>>");
        objects.add("<</Type/Pages/Kids[%s]/Count %d>>".formatted(kids, pages.length));
        objects.add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>");
        for (int i = 0; i < pages.length; i++) {
            String shown = "BT /F1 12 Tf 72 720 Td (" + pages[i] + ") Tj ET";
            objects.add(
                    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents %d 0 R/Resources<</Font<</F1 3 0 R>>>>>>"
                            .formatted(5 + 2 * i));
            objects.add("<</Length " + shown.length() + ">>stream\n" + shown + "\nendstream");
        }
        StringBuilder file = new StringBuilder("%PDF-1.4\n");
        StringBuilder table = new StringBuilder("0000000000 65535 f \n");
        for (int i = 0; i < objects.size(); i++) {
            table.append("%010d 00000 n \n".formatted(file.length()));
            file.append(i + 1).append(" 0 obj").append(objects.get(i)).append("endobj\n");
        }
        int start = file.length();
        int size = objects.size() + 1;
        return file.append("xref\n0 %d\n%s".formatted(size, table))
                .append(
                        "trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF"
                                .formatted(size, start))
                .toString();
    }

    @Test
    void aBrokenDocumentSaysWhy() throws Exception {
        String chat = server.newChat();
        String file = server.upload(chat, "x.pdf", "%PDF-1.7 nothing").get("id").stringValue();
        server.sweep();

        JsonNode read = server.getJson("/api/assistant/chats/" + chat + "/files/" + file + "/text");
        assertThat(read.get("status").stringValue()).isEqualTo("failed");
        assertThat(read.get("problem").stringValue()).isNotEmpty();
        String text = "/api/assistant/chats/" + chat + "/files/" + file + "/text";
        assertThat(server.get(text + "?page=x").statusCode()).isEqualTo(400);
        String other = server.keyOf("other");
        assertThat(server.sendAs(other, "GET", text).statusCode()).isEqualTo(404);
    }

    @Test
    void anAssetOfPlainTextIsShownAtOnceAndFoundSoon() throws Exception {
        var sent =
                server.send(
                        server.request("/api/assets")
                                .header("Content-Type", MultipartBody.CONTENT_TYPE)
                                .POST(
                                        new MultipartBody()
                                                .file("notes.unknown", "a quokka smiles")
                                                .publisher())
                                .build());
        String id = Json.MAPPER.readTree(sent.body()).at("/assets/0/id").stringValue();
        JsonNode read = server.getJson("/api/assets/" + id + "/text");
        assertThat(read.at("/parts/0/text").stringValue()).isEqualTo("a quokka smiles");

        server.sweep();

        JsonNode hit = server.getJson("/api/search?q=quokka&in=files").at("/hits/0");
        assertThat(hit.get("fileId").stringValue()).isEqualTo(id);
        assertThat(hit.get("snippet").stringValue()).isEqualTo("a quokka smiles");
    }
}
