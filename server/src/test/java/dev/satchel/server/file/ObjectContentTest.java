package dev.satchel.server.file;

import static java.net.http.HttpClient.Version.HTTP_1_1;
import static java.net.http.HttpClient.Version.HTTP_2;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.http.HttpServer;
import dev.satchel.http.Router;
import dev.satchel.http.connection.HttpOptions;
import dev.satchel.http.download.Download;
import dev.satchel.server.objectstore.LocalObjectStore;
import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.objectstore.StoredObject;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

class ObjectContentTest {
    @Test
    void aStoredObjectIsDownloadedInPartsUnderItsHash(@TempDir Path directory) throws Exception {
        ObjectKey key = new ObjectKey("bag/digits");
        Router router = new Router();
        try (ObjectStore store = new LocalObjectStore(directory);
                HttpServer server =
                        HttpServer.start(
                                "127.0.0.1",
                                0,
                                router,
                                new JsonMapper(),
                                (_, _, _, _) -> {},
                                HttpOptions.WITH_CLEARTEXT_HTTP2);
                HttpClient client = HttpClient.newHttpClient()) {
            StoredObject stored =
                    store.put(key, new ByteArrayInputStream("0123456789".getBytes(UTF_8)));
            ObjectContent content = new ObjectContent(store, key, stored);
            router.get("/", exchange -> new Download("d", "text/plain", content).send(exchange));
            URI uri = URI.create("http://127.0.0.1:" + server.port() + "/");
            for (HttpClient.Version version : List.of(HTTP_2, HTTP_1_1)) {
                HttpResponse<String> response =
                        client.send(
                                HttpRequest.newBuilder(uri)
                                        .version(version)
                                        .header("Range", "bytes=3-5")
                                        .build(),
                                BodyHandlers.ofString());
                assertThat(response.body()).isEqualTo("345");
                assertThat(response.headers().firstValue("ETag"))
                        .contains("\"sha256-" + stored.sha256() + "\"");
            }
        }
    }
}
