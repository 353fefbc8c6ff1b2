package dev.satchel.server.skill;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.InflaterInputStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import tools.jackson.databind.JsonNode;

/** The skills that come with Satchel: their scripts run in a real sandbox, on real files. */
@Timeout(120)
class BuiltInSkillsTest {
    private static final List<String> NAMES =
            List.of("clean-spreadsheet", "make-chart", "pdf-report");

    @TempDir static Path data;
    private static TestServer server;
    private static String agent;

    @BeforeAll
    static void start() throws Exception {
        server = TestServer.startWhole(data);
        HttpResponse<String> created =
                server.post("/api/agents", Map.of("name", "office", "skills", NAMES));
        assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
        agent = TestSkills.json(created).get("id").stringValue();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void everyTenantHasThemAndNobodyCanDeleteThem() throws Exception {
        for (JsonNode listed :
                List.of(
                        server.getJson("/api/skills"),
                        TestSkills.json(
                                server.sendAs(server.keyOf("another"), "GET", "/api/skills")))) {
            assertThat(listed.get("skills").valueStream())
                    .filteredOn(skill -> skill.get("builtIn").booleanValue())
                    .extracting(skill -> skill.get("name").stringValue())
                    .containsExactlyElementsOf(NAMES);
        }
        JsonNode chart = server.getJson("/api/skills/make-chart");
        assertThat(chart.get("instructions").stringValue()).contains("chart.py");
        assertThat(server.getJson("/api/skills/make-chart/versions").get("versions")).hasSize(1);
        HttpResponse<String> refused = server.send("DELETE", "/api/skills/make-chart", "");
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.body()).contains("comes with Satchel");
    }

    @Test
    void aSkillOfATenantIsUsedInsteadUntilItIsDeleted() throws Exception {
        String tenant = server.keyOf("own-chart");
        byte[] own = TestSkills.zip(TestSkills.skill("make-chart", "echo own"));
        assertThat(TestSkills.upload(server, tenant, own).statusCode()).isEqualTo(201);

        assertThat(server.sendAs(tenant, "GET", "/api/skills/make-chart").body())
                .contains("\"builtIn\":false");
        assertThat(server.getJson("/api/skills/make-chart").get("builtIn").booleanValue()).isTrue();
        assertThat(server.sendAs(tenant, "DELETE", "/api/skills/make-chart").statusCode())
                .isEqualTo(204);
        assertThat(server.sendAs(tenant, "GET", "/api/skills/make-chart").body())
                .contains("\"builtIn\":true");
    }

    @Test
    void theIndexNamesEveryFile() throws Exception {
        Path folder = Path.of("src/main/resources/skills");
        try (Stream<Path> files = Files.walk(folder)) {
            assertThat(
                            files.filter(Files::isRegularFile)
                                    .map(file -> folder.relativize(file).toString())
                                    .filter(name -> !name.equals("index"))
                                    .sorted())
                    .containsExactlyElementsOf(Files.readAllLines(folder.resolve("index")));
        }
    }

    @Test
    void aChartIsDrawnFromATable() throws Exception {
        String table = "month;revenue;cost\nJan;1.234,50;900\nFeb;1.500;n/a\nMär;-200;50\n";
        for (String kind : List.of("bar", "line", "pie")) {
            Map<String, String> produced =
                    run(
                            Map.of("sales.csv", table),
                            "python3 $SATCHEL_SKILLS/make-chart/chart.py sales.csv --kind "
                                    + kind
                                    + (kind.equals("pie") ? " --y cost" : "")
                                    + " --title 'A & <B>' --out assets/chart.svg");

            assertThat(produced.get("(answer)")).contains("left out, not a number: cost in row 3");
            Document svg = xml(produced.getOrDefault("chart.svg", ""));
            assertThat(svg.getDocumentElement().getTagName()).isEqualTo("svg");
            assertThat(svg.getElementsByTagName("title").item(0).getTextContent())
                    .isEqualTo("A & <B>");
            if (kind.equals("bar")) {
                assertThat(svg.getElementsByTagName("rect").getLength())
                        .as("background, five bars, two colours of the legend")
                        .isEqualTo(8);
            }
        }
    }

    @Test
    void aReportIsAPdf() throws Exception {
        String text =
                "# Sales\n\nRevenue **grew** by 12 % (Ümläut €).\n\n- one\n- two\n\n"
                        + "| a | b |\n|---|---:|\n| x | 1 |\n\n---\n\n## Next page\n\n"
                        + "A line of words. ".repeat(400)
                        + "漢\n";
        Map<String, String> produced =
                run(
                        Map.of("report.md", text),
                        "python3 $SATCHEL_SKILLS/pdf-report/report.py report.md --title Quarter"
                                + " --out assets/report.pdf");

        assertThat(produced.get("(answer)")).contains("3 pages", "shown as ?: 漢");
        String shown = textOfPdf(produced.getOrDefault("report.pdf", ""));
        assertThat(shown).contains("(Quarter)", "(grew)", "(Next)", "(x)", "(3 / 3)");
    }

    @Test
    void aSpreadsheetIsCleaned() throws Exception {
        String table =
                "My export;;;\n;;;\n Name ;Amount;Date;Name\nAnna ; 1.234,50;17.11.2026;x\n;;;\n"
                        + "Bob;7;01.02.2026;y\nAnna ; 1.234,50;17.11.2026;x\n";
        Map<String, String> produced =
                run(
                        Map.of("export.csv", table),
                        "C=$SATCHEL_SKILLS/clean-spreadsheet/clean.py; python3 $C export.csv --out"
                                + " assets/clean.xlsx && python3 $C assets/clean.xlsx --out"
                                + " assets/clean.csv");

        assertThat(produced.get("(answer)"))
                .contains("removed 1 rows that appear twice", "removed 1 empty rows")
                .contains("wrote 2 dates in 'Date' in one form");
        assertThat(produced.get("clean.csv"))
                .isEqualTo(
                        "Name,Amount,Date,Name 2\nAnna,1234.5,2026-11-17,x\nBob,7,2026-02-01,y\n");
    }

    /** The files that a command in a sandbox with the skills hands in, and its output. */
    private static Map<String, String> run(Map<String, String> files, String command)
            throws Exception {
        String chat = server.newChat();
        for (Map.Entry<String, String> file : files.entrySet()) {
            server.upload(chat, file.getKey(), file.getValue());
        }
        Map<String, String> produced = new HashMap<>();
        try (Events events =
                server.turn(
                        Map.of("chatId", chat, "message", "/sh " + command, "agentId", agent))) {
            List<Events.Event> all = events.rest();
            assertThat(all.getFirst().data().get("skills")).hasSize(NAMES.size());
            assertThat(all.getLast().data().get("status").stringValue())
                    .as(all.toString())
                    .isEqualTo("succeeded");
            produced.put("(answer)", all.toString());
        }
        for (JsonNode file :
                server.getJson("/api/assistant/chats/" + chat + "/files").get("files")) {
            String path = "/api/assistant/chats/" + chat + "/files/" + file.get("id").stringValue();
            try (Events download = server.events(server.request(path).build())) {
                byte[] bytes = download.response().body().readAllBytes();
                String name = file.get("name").stringValue();
                produced.put(name, new String(bytes, name.endsWith("pdf") ? ISO_8859_1 : UTF_8));
            }
        }
        return produced;
    }

    private static Document xml(String text) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(text.getBytes(UTF_8)));
    }

    /** Checks the table of objects, and returns the commands of all pages. */
    private static String textOfPdf(String pdf) throws Exception {
        assertThat(pdf).startsWith("%PDF-1.").endsWith("%%EOF\n");
        Matcher start = Pattern.compile("startxref\n(\\d+)\n").matcher(pdf);
        assertThat(start.find()).isTrue();
        String table = pdf.substring(Integer.parseInt(start.group(1)));
        assertThat(table).startsWith("xref\n");
        Matcher offset = Pattern.compile("(\\d{10}) 00000 n ").matcher(table);
        StringBuilder shown = new StringBuilder();
        for (int number = 1; offset.find(); number++) {
            int at = Integer.parseInt(offset.group(1));
            assertThat(pdf.startsWith(number + " 0 obj\n", at)).isTrue();
            int stream = pdf.indexOf("stream\n", at);
            int end = pdf.indexOf("endobj", at);
            if (stream > 0 && stream < end && pdf.substring(at, stream).contains("FlateDecode")) {
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                new InflaterInputStream(
                                new ByteArrayInputStream(
                                        pdf.substring(stream + 7, end).getBytes(ISO_8859_1)))
                        .transferTo(out);
                shown.append(out.toString(ISO_8859_1));
            }
        }
        return shown.toString();
    }
}
