package dev.satchel.server.application;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.documents.DocumentLine;
import dev.satchel.documents.DocumentLines;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.configuration.SandboxConfiguration;
import dev.satchel.server.document.TextExtractor;
import dev.satchel.server.sandbox.LocalTextExtractor;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import dev.satchel.tools.document.DocumentSelection;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who reads documents, by the configuration. */
class SandboxWiringTest {
    @TempDir Path data;

    /** No container is started for a document. */
    @Test
    void aServerWithAContainerForEachRunReadsDocumentsItself() throws Exception {
        SandboxConfiguration containers =
                new SandboxConfiguration.Docker(
                        new SandboxConfiguration.DockerEngine(
                                data.resolve("no.sock"), "none", null, null),
                        "image",
                        null,
                        null,
                        Map.of("PATH", System.getenv("PATH")));
        Configuration configuration =
                TestConfiguration.withSandbox(
                        TestServer.configuration(data, null, null), containers);
        byte[] html = "<html><p>Rent</p></html>".getBytes(StandardCharsets.UTF_8);
        try (CloseStack closing = new CloseStack()) {
            TextExtractor documents =
                    new SandboxWiring(configuration).documents(Optional.empty(), closing);
            assertThat(documents).isInstanceOf(LocalTextExtractor.class);
            try (DocumentLines lines =
                    documents.extract(
                            new ByteArrayInputStream(html), "a.html", DocumentSelection.ALL)) {
                assertThat(lines.next().orElseThrow()).isInstanceOf(DocumentLine.Header.class);
                assertThat(lines.next().orElseThrow().toString()).contains("Rent");
            }
        }
    }
}
