package dev.satchel.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.configuration.SandboxConfiguration;
import dev.satchel.server.objectstore.ListedObject;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.objectstore.S3ObjectStore;
import dev.satchel.server.testing.TestServer;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Resumable uploads whose parts are sent to different servers. */
class SharedUploadTest {
    private TestNodes nodes;
    private TestServer one;
    private TestServer other;

    @BeforeEach
    void start() throws Exception {
        nodes = new TestNodes();
        one = nodes.start(new SandboxConfiguration.None());
        other = nodes.start(new SandboxConfiguration.None());
    }

    @AfterEach
    void stop() {
        nodes.close();
    }

    @Test
    void anUploadIsContinuedAndFinishedOnTheOtherServer() throws Exception {
        HttpResponse<String> made = create(one, 11);
        String upload = header(made, "Location");
        assertThat(patch(one, upload, 0, "hello ").statusCode()).isEqualTo(204);
        assertThat(patch(other, upload, 6, "world").statusCode()).isEqualTo(204);

        assertThat(header(head(one, upload), "Upload-Offset")).isEqualTo("11");
        assertThat(stored(made)).isEqualTo("hello world");
    }

    /** Both servers find all parts and assemble the file. */
    @Test
    void anUploadThatBothServersFinishTogetherIsComplete() throws Exception {
        for (int round = 0; round < 5; round++) {
            HttpResponse<String> made = create(one, 11);
            String upload = header(made, "Location");
            patch(one, upload, 0, "hello ");
            List<Integer> answers =
                    TestNodes.atOnce(
                            Stream.of(
                                    () -> patch(one, upload, 6, "world").statusCode(),
                                    () -> head(other, upload).statusCode(),
                                    () -> head(one, upload).statusCode(),
                                    () -> head(other, upload).statusCode()));
            assertThat(answers).containsOnly(204, 200);
            assertThat(header(head(other, upload), "Upload-Offset")).isEqualTo("11");
            assertThat(stored(made)).isEqualTo("hello world");
        }
    }

    /** The object of the one file of an upload's session. */
    private String stored(HttpResponse<String> made) throws Exception {
        String prefix = header(made, "Satchel-Session-Id") + "/uploaded/";
        try (ObjectStore objects = new S3ObjectStore(nodes.bucket());
                Stream<ListedObject> listed = objects.list(prefix)) {
            try (InputStream in = objects.open(listed.toList().getFirst().key())) {
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
        }
    }

    private static HttpResponse<String> create(TestServer server, int length) throws Exception {
        return server.send(
                tus(server, "/api/uploads")
                        .header("Upload-Length", Integer.toString(length))
                        .header("Upload-Metadata", "filename YS50eHQ=")
                        .POST(BodyPublishers.noBody())
                        .build());
    }

    private static HttpResponse<String> patch(
            TestServer server, String upload, long offset, String content) throws Exception {
        return server.send(
                tus(server, upload)
                        .header("Upload-Offset", Long.toString(offset))
                        .header("Content-Type", "application/offset+octet-stream")
                        .method("PATCH", BodyPublishers.ofString(content))
                        .build());
    }

    private static HttpResponse<String> head(TestServer server, String upload) throws Exception {
        return server.send(tus(server, upload).method("HEAD", BodyPublishers.noBody()).build());
    }

    private static HttpRequest.Builder tus(TestServer server, String path) {
        return server.request(path).header("Tus-Resumable", "1.0.0");
    }

    private static String header(HttpResponse<String> response, String name) {
        return response.headers().firstValue(name).orElse("");
    }
}
