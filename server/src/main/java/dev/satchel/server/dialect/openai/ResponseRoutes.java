package dev.satchel.server.dialect.openai;

import dev.satchel.http.Exchange;
import dev.satchel.http.Fields;
import dev.satchel.http.Router;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.approval.AnswerRequest;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.conversation.PersistedMessage;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.dialect.ClientAnswers;
import dev.satchel.server.dialect.ClientMessageBuilder;
import dev.satchel.server.dialect.ClientThreads;
import dev.satchel.server.dialect.DialectServices;
import dev.satchel.server.dialect.DialectStream;
import dev.satchel.server.dialect.JsonObjects;
import dev.satchel.server.execution.StopReason;
import dev.satchel.server.run.Run;
import dev.satchel.server.turn.AgentSelection;
import dev.satchel.server.turn.OnDisconnect;
import dev.satchel.server.turn.TurnRequest;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code /v1/responses}: a response is a run, and what it answers is a turn. */
final class ResponseRoutes {
    private final DialectServices services;
    private final OpenAiModels models;
    private final OpenAiThreads threads;
    private final OpenAiFileLookup files;
    private final Authentication access;

    ResponseRoutes(
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
        router.post("/v1/responses", access.requireCaller(Permission.WRITE_CHATS, this::create));
        router.get(
                "/v1/responses/{id}", access.requireCaller(Permission.READ_CHATS, this::retrieve));
        router.post(
                "/v1/responses/{id}/cancel",
                access.requireCaller(Permission.WRITE_CHATS, this::cancel));
    }

    private void create(Exchange exchange, Caller caller) throws IOException, InterruptedException {
        ResponseRequest request =
                exchange.readLenientJson(ResponseRequest.class, services.threads().maxBodyBytes());
        AgentSelection selection = models.selection(caller, request.model());
        ClientAnswers.Answered started = start(exchange, caller, request, selection);
        Run run = started.run();
        ResponseId id = new ResponseId(run.id(), started.after());
        ResponseEncoder encoder = encoder(run, id);
        if (!request.isInBackground()) {
            OnDisconnect.usual(exchange.operation().isPresent())
                    .apply(
                            services.executions(),
                            services.streamer().readers(),
                            exchange,
                            run.id());
        }
        if (request.isStreamed()) {
            stream(exchange, id, encoder);
        } else if (request.isInBackground()) {
            exchange.json(200, encoder.response());
        } else {
            DialectStream.collect(
                    exchange, services.streamer(), run.id(), encoder, started.after());
            exchange.json(200, encoder.response());
        }
    }

    /** Answers what the conversation asks, or starts its next turn. */
    private ClientAnswers.Answered start(
            Exchange exchange, Caller caller, ResponseRequest request, AgentSelection selection)
            throws IOException {
        Optional<OpenAiHistory> history = request.history();
        List<AnswerRequest.Answer> given = request.answers();
        OpenAiThreads.Placed placed = place(caller, request, history);
        ConversationId chat = placed.chat();
        if (!given.isEmpty()) {
            return services.answers().answer(caller, chat, given);
        }
        OpenAiHistory said = history.orElseThrow();
        Optional<ClientAnswers.Answered> answered =
                services.answers().answerInWords(caller, chat, said.message().text());
        if (answered.isPresent()) {
            return answered.get();
        }
        ClientMessageBuilder message = new ClientMessageBuilder();
        said.message().addTo(message, (id, to) -> files.add(caller, chat, id, to));
        TurnRequest turn =
                message.build(null)
                        .turn(chat, selection)
                        .withInstructions(request.instructions(said))
                        .at(placed.place());
        Run run = services.turns().start(caller, turn, exchange.operation().orElse(null));
        threads.remember(caller, request.scope(), said, run);
        return new ClientAnswers.Answered(run, 0);
    }

    private OpenAiThreads.Placed place(
            Caller caller, ResponseRequest request, Optional<OpenAiHistory> history)
            throws IOException {
        String previous = request.previous();
        if (previous != null) {
            return afterPrevious(caller, ResponseId.parse(previous).run());
        }
        Optional<String> name = request.chat();
        if (history.isPresent() && name.isPresent()) {
            return threads.named(caller, name.get(), history.get());
        }
        if (history.isPresent()) {
            return threads.find(caller, request.scope(), history.get());
        }
        return OpenAiThreads.Placed.atEnd(
                ClientThreads.conversation(
                        caller, Fields.required("previous_response_id", name.orElse(null))));
    }

    /** After the answer of an earlier response, where its conversation may have gone on. */
    private OpenAiThreads.Placed afterPrevious(Caller caller, RunId id) {
        Run run = find(caller, id);
        List<PersistedMessage> messages =
                services.threads().thread(caller, run.conversation()).messages();
        if (run.status().isActive()
                || messages.isEmpty()
                || id.value().equals(messages.getLast().runId())) {
            return OpenAiThreads.Placed.atEnd(run.conversation());
        }
        MessageId answer = MessageId.ofAnswer(id);
        return new OpenAiThreads.Placed(run.conversation(), new TurnRequest.Place.After(answer));
    }

    /** The response as it is now, or its events from the first or after one. */
    private void retrieve(Exchange exchange, Caller caller)
            throws IOException, InterruptedException {
        ResponseId id = ResponseId.parse(exchange.pathParameter("id"));
        Run run = find(caller, id.run());
        if (exchange.query("stream").filter("true"::equals).isPresent()) {
            int after = exchange.query("starting_after").map(ResponseRoutes::number).orElse(-1);
            stream(exchange, id, encoder(run, id).startingAfter(after));
            return;
        }
        exchange.json(200, now(run, id));
    }

    private void cancel(Exchange exchange, Caller caller) throws IOException, InterruptedException {
        ResponseId id = ResponseId.parse(exchange.pathParameter("id"));
        Run run = find(caller, id.run());
        if (run.status().isActive()) {
            services.executions().stop(run, StopReason.CANCELLED);
        }
        exchange.json(200, now(find(caller, id.run()), id));
    }

    private Map<String, Object> now(Run run, ResponseId id) throws IOException {
        ResponseEncoder encoder = encoder(run, id);
        DialectStream.replay(services.streamer(), run.id(), encoder, id.after());
        return encoder.response();
    }

    private void stream(Exchange exchange, ResponseId id, ResponseEncoder encoder)
            throws IOException, InterruptedException {
        DialectStream.send(exchange, services.streamer(), id.run(), encoder, List.of(), id.after());
    }

    private Run find(Caller caller, RunId id) {
        return services.threads().run(caller, id).orElseThrow(ResponseId::unknown);
    }

    private ResponseEncoder encoder(Run run, ResponseId id) {
        Map<String, Object> head =
                JsonObjects.of(
                        "id",
                        id.text(),
                        "object",
                        "response",
                        "created_at",
                        run.startedAt() / 1000,
                        "model",
                        OpenAiModels.nameOf(run.setup()),
                        "conversation",
                        JsonObjects.of("id", run.conversation().value()));
        return new ResponseEncoder(services.publicUrl().get(), run.id().value(), head);
    }

    private static int number(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw Fields.invalid("starting_after", "must be a number");
        }
    }
}
