package dev.satchel.server.command;

import dev.satchel.http.BearerToken;
import dev.satchel.protocol.Json;
import dev.satchel.server.application.StartException;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.configuration.Configuration.Network;
import dev.satchel.server.configuration.ConfigurationException;
import dev.satchel.server.configuration.Secret;
import dev.satchel.server.user.ApiKeyFile;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Unmatched;

/** Requests a new login link from the running server, with the key of the data folder. */
@Command(
        name = "login-link",
        mixinStandardHelpOptions = true,
        description = "Prints a new one-time login link of the running server.")
final class LoginLinkCommand implements Callable<Integer> {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final Map<String, String> variables;

    @Mixin private final CommonOptions options = new CommonOptions();

    /** Collected, so that they are reported with all other problems. */
    @Unmatched private final List<String> unknown = new ArrayList<>();

    LoginLinkCommand(Map<String, String> variables) {
        this.variables = variables;
    }

    @Override
    public Integer call() throws ConfigurationException, StartException, InterruptedException {
        Configuration configuration = options.read(variables, unknown).configuration();
        Network network = configuration.network();
        URI server = network.localUrl(network.port());
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(server + "/api/login-links"))
                        .header("Authorization", BearerToken.header(key(configuration)))
                        .timeout(TIMEOUT)
                        .POST(BodyPublishers.noBody())
                        .build();
        try (HttpClient client = HttpClient.newBuilder().connectTimeout(TIMEOUT).build()) {
            System.out.println(link(client.send(request, BodyHandlers.ofString())));
            return 0;
        } catch (IOException e) {
            throw new StartException("no server answers at " + server + ": is it started?", e);
        }
    }

    private static String key(Configuration configuration) throws StartException {
        Secret fixed = configuration.network().apiKey();
        if (fixed != null) {
            return fixed.value();
        }
        ApiKeyFile file = ApiKeyFile.in(configuration.storage().dataDirectory());
        try {
            return file.read().value();
        } catch (IOException e) {
            throw new StartException(
                    "no API key: neither SATCHEL_API_KEY nor " + file.path() + " can be read", e);
        }
    }

    private static String link(HttpResponse<String> response) throws StartException {
        if (response.statusCode() != 201) {
            throw new StartException("the server refused with status " + response.statusCode());
        }
        return Json.MAPPER.readTree(response.body()).path("url").stringValue("");
    }
}
