package dev.satchel.runner.model;

import dev.satchel.protocol.Json;
import dev.satchel.runner.model.stream.AwsEventReader;
import dev.satchel.runner.model.stream.BrokenStreamException;
import dev.satchel.runner.model.stream.EventReader;
import dev.satchel.runner.model.stream.ProviderErrorException;
import dev.satchel.runner.model.stream.ReplySize;
import dev.satchel.runner.model.stream.ServerSentEventReader;
import dev.satchel.tools.ToolDescription;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Calls one model at one endpoint, once. */
final class ModelCall {
    private static final int MAX_REPLY_BYTES = ReplySize.MAX_MEBIBYTES << 20;
    private static final int MAX_KNOWN_MODELS = 20;

    private final ModelSettings settings;
    private final ModelEndpoint endpoint;
    private final ModelApi api;
    private final ModelHttpClient http;

    ModelCall(ModelSettings settings, ModelHttpClient http) {
        this.settings = settings;
        this.endpoint = new ModelEndpoint(settings);
        this.api =
                endpoint.speaksAnthropic() ? new AnthropicApi(settings) : new OpenAiApi(settings);
        this.http = http;
    }

    ModelSettings settings() {
        return settings;
    }

    ModelReply send(ChatHistory history, List<ToolDescription> tools, ReplyListener listener)
            throws IOException, ModelException, InterruptedException {
        HttpRequest request =
                endpoint.chat()
                        .header("Content-Type", "application/json")
                        .POST(
                                BodyPublishers.ofByteArray(
                                        Json.MAPPER.writeValueAsBytes(api.request(history, tools))))
                        .build();
        ModelHttpClient.Response response = http.send(request);
        ModelApi.ReplyReader reader = api.reader(listener);
        try (InputStream body = new BufferedInputStream(response.body())) {
            if (response.contentType().startsWith("application/vnd.amazon.eventstream")) {
                readAll(new AwsEventReader(body), reader);
            } else {
                read(body, reader);
            }
        }
        return reader.reply();
    }

    /** The names of the models that the provider has; empty when it does not say. */
    List<String> knownModels() throws InterruptedException {
        List<String> names = new ArrayList<>();
        try (InputStream body = http.send(endpoint.listModels()).body()) {
            JsonNode list = Json.MAPPER.readTree(body.readNBytes(MAX_REPLY_BYTES));
            list.path("data").forEach(model -> names.add(model.path("id").asString("")));
        } catch (IOException | JacksonException e) {
            return List.of();
        }
        if (names.size() > MAX_KNOWN_MODELS) {
            int more = names.size() - MAX_KNOWN_MODELS;
            names.subList(MAX_KNOWN_MODELS, names.size()).clear();
            names.add("and " + more + " more");
        }
        return names;
    }

    /** A server may ignore that a stream was asked for; a proxy may answer with a page. */
    private static void read(InputStream body, ModelApi.ReplyReader reader)
            throws IOException, ModelException {
        int first = firstByte(body);
        if (first == '<') {
            throw new ProviderErrorException(
                    404, "{\"message\":\"a web page instead of the API\"}", null);
        }
        if (first != '{') {
            readAll(new ServerSentEventReader(body), reader);
            return;
        }
        byte[] whole = body.readNBytes(MAX_REPLY_BYTES + 1);
        if (whole.length > MAX_REPLY_BYTES) {
            throw ReplySize.tooLarge();
        }
        try {
            reader.whole(Json.MAPPER.readTree(whole));
        } catch (JacksonException e) {
            throw new BrokenStreamException("The model's answer is not valid JSON.");
        }
    }

    private static void readAll(EventReader events, ModelApi.ReplyReader reader)
            throws IOException, ModelException {
        for (String data = events.next(); data != null; data = events.next()) {
            reader.event(data);
        }
    }

    /** The first byte that is not white space, which stays unread; -1 at the end. */
    private static int firstByte(InputStream body) throws IOException {
        while (true) {
            body.mark(1);
            int next = body.read();
            if (next < 0 || !Character.isWhitespace(next)) {
                body.reset();
                return next;
            }
        }
    }
}
