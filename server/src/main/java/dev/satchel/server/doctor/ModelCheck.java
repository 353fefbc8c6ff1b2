package dev.satchel.server.doctor;

import dev.satchel.http.BearerToken;
import dev.satchel.runner.model.ModelProvider;
import dev.satchel.runner.model.ModelSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Lists the models of the provider, which checks its address and key without cost. */
public final class ModelCheck {
    private static final String NAME = "model";
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private ModelCheck() {}

    public static Finding check(Map<String, String> variables) throws InterruptedException {
        List<String> problems = new ArrayList<>();
        Optional<ModelSettings> settings = ModelSettings.from(variables, problems);
        if (!problems.isEmpty()) {
            return Finding.problem(NAME, String.join("; ", problems));
        }
        if (settings.isEmpty()) {
            return Finding.warning(
                    NAME,
                    "none: the offline agent answers. Set ANTHROPIC_API_KEY, OPENAI_API_KEY or"
                            + " OPENAI_BASE_URL");
        }
        return request(settings.get());
    }

    private static Finding request(ModelSettings settings) throws InterruptedException {
        HttpRequest request = listModels(settings);
        String where = settings.name() + " at " + request.uri().getHost();
        try (HttpClient client = HttpClient.newBuilder().connectTimeout(TIMEOUT).build()) {
            int status = client.send(request, BodyHandlers.discarding()).statusCode();
            return switch (status) {
                case 401, 403 -> Finding.problem(NAME, where + " refuses the key");
                case 200 -> Finding.ok(NAME, where);
                default -> Finding.warning(NAME, where + " answers with status " + status);
            };
        } catch (IOException e) {
            return Finding.problem(NAME, where + " does not answer");
        }
    }

    private static HttpRequest listModels(ModelSettings settings) {
        boolean isAnthropic = settings.provider() == ModelProvider.ANTHROPIC;
        String usual = isAnthropic ? "https://api.anthropic.com/v1" : "https://api.openai.com/v1";
        String base = Objects.requireNonNullElse(settings.baseUrl(), usual);
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(base.replaceAll("/+$", "") + "/models"))
                        .timeout(TIMEOUT);
        String key = settings.apiKey();
        if (isAnthropic) {
            request.header("anthropic-version", "2023-06-01");
        }
        if (key != null) {
            request.header(
                    isAnthropic ? "x-api-key" : "Authorization",
                    isAnthropic ? key : BearerToken.header(key));
        }
        return request.build();
    }
}
