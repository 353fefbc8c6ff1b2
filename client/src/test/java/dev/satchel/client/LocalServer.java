package dev.satchel.client;

import dev.satchel.server.application.Application;
import dev.satchel.server.application.Configuration;
import dev.satchel.server.application.LogFormat;
import dev.satchel.server.application.Secret;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;

/** Everything as {@code ./satchel serve} starts it: real sandboxes, the offline agent. */
final class LocalServer implements AutoCloseable {
    static final String KEY = "a-key-for-tests";

    private final Application application;

    private LocalServer(Application application) {
        this.application = application;
    }

    static LocalServer start() throws Exception {
        Application application =
                new Application(
                        configuration(Files.createTempDirectory("satchel-client-test-")),
                        Clock.systemUTC());
        application.start();
        return new LocalServer(application);
    }

    URI url() {
        return application.publicUrl();
    }

    SatchelClient client() {
        return SatchelClient.of(url(), KEY);
    }

    /** A new file with a content, in a folder of its own. */
    static Path file(String name, String content) throws IOException {
        Path folder = Files.createTempDirectory("satchel-client-file-");
        return Files.writeString(folder.resolve(name), content);
    }

    @Override
    public void close() {
        application.close();
    }

    private static Configuration configuration(Path data) {
        return new Configuration(
                new Configuration.Network("127.0.0.1", 0, null, new Secret(KEY), LogFormat.TEXT),
                new Configuration.Storage(data, null, null),
                Configuration.Sandbox.embedded(Map.of("PATH", System.getenv("PATH"))),
                new Configuration.RunLimits(
                        Duration.ofHours(1), Duration.ofMinutes(10), 20, Duration.ofMinutes(5)),
                new Configuration.BagLimits(50_000_000, 10, 90_000_000));
    }
}
