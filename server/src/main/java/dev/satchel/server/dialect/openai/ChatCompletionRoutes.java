package dev.satchel.server.dialect.openai;

import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.dialect.ClientAnswers;
import dev.satchel.server.dialect.ClientMessageBuilder;
import dev.satchel.server.dialect.DialectServices;
import dev.satchel.server.dialect.DialectStream;
import dev.satchel.server.run.Run;
import dev.satchel.server.turn.AgentSelection;
import dev.satchel.server.turn.OnDisconnect;
import dev.satchel.server.turn.TurnRequest;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** {@code /v1/chat/completions} and {@code /v1/models}. */
final class ChatCompletionRoutes {
    private static final String DONE = "[DONE]";

    private final DialectServices services;
    private final OpenAiModels models;
    private final OpenAiThreads threads;
    private final OpenAiFileLookup files;
    private final Authentication access;

    ChatCompletionRoutes(
            DialectServices services,
            OpenAiModels models,
            OpenAiThreads threads,
            OpenAiFileLookup files,
            Authentication access) {
        this.services = services;
        this.models = models;
        this.threads = threads;
        this.files = files;
        this.access = access;
    }

    void addTo(Router router) {
        router.get("/v1/models", access.requireCaller(Permission.ANY, models::list));
        router.get("/v1/models/{model}", access.requireCaller(Permission.ANY, models::get));
        router.post(
                "/v1/chat/completions",
                access.requireCaller(Permission.WRITE_CHATS, this::complete));
    }

    private void complete(Exchange exchange, Caller caller)
            throws IOException, InterruptedException {
        ChatCompletionRequest request =
                exchange.readLenientJson(
                        ChatCompletionRequest.class, services.threads().maxBodyBytes());
        AgentSelection selection = models.selection(caller, request.model());
        OpenAiHistory history = OpenAiHistory.of(request.messages());
        ClientAnswers.Answered started = start(exchange, caller, request, history, selection);
        Run run = started.run();
        OnDisconnect.usual(exchange.operation().isPresent())
                .apply(services.executions(), services.streamer().readers(), exchange, run.id());
        ChatCompletionEncoder encoder =
                new ChatCompletionEncoder(
                        services.publicUrl().get(),
                        request.model(),
                        run.startedAt() / 1000,
                        request.wantsUsage());
        if (request.isStreamed()) {
            DialectStream.send(
                    exchange,
                    services.streamer(),
                    run.id(),
                    encoder,
                    List.of(DONE),
                    started.after());
            return;
        }
        DialectStream.collect(exchange, services.streamer(), run.id(), encoder, started.after());
        exchange.json(200, encoder.completion());
    }

    /** Answers what the chat asks, or starts the next turn. */
    private ClientAnswers.Answered start(
            Exchange exchange,
            Caller caller,
            ChatCompletionRequest request,
            OpenAiHistory history,
            AgentSelection selection)
            throws IOException {
        String scope = request.scope(exchange);
        Optional<String> name = request.chat(exchange);
        OpenAiThreads.Placed placed =
                name.isPresent()
                        ? threads.named(caller, name.get(), history)
                        : threads.find(caller, scope, history);
        ConversationId chat = placed.chat();
        Optional<ClientAnswers.Answered> answered =
                services.answers().answerInWords(caller, chat, history.message().text());
        if (answered.isPresent()) {
            threads.remember(caller, scope, history, answered.get().run());
            return answered.get();
        }
        ClientMessageBuilder message = new ClientMessageBuilder();
        history.message().addTo(message, (id, to) -> files.add(caller, chat, id, to));
        TurnRequest turn =
                message.build(null)
                        .turn(chat, selection)
                        .withInstructions(history.instructions())
                        .at(placed.place());
        Run run = services.turns().start(caller, turn, exchange.operation().orElse(null));
        threads.remember(caller, scope, history, run);
        return new ClientAnswers.Answered(run, 0);
    }
}
