package dev.satchel.server.dialect.a2a;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.Fields;
import dev.satchel.http.Router;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.dialect.ClientAnswers;
import dev.satchel.server.dialect.ClientThreads;
import dev.satchel.server.dialect.DialectServices;
import dev.satchel.server.dialect.DialectStream;
import dev.satchel.server.dialect.JsonObjects;
import dev.satchel.server.execution.StopReason;
import dev.satchel.server.run.Run;
import dev.satchel.server.turn.AgentSelection;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * {@code /a2a}: A2A 1.0 by JSON-RPC. A task is a run, and its context is a conversation. A task
 * goes on when its client disconnects.
 */
public final class A2aRoutes {
    private static final String AGENT = "/a2a/agents/{agentId}";
    private static final String CARD = "/.well-known/agent-card.json";

    private final DialectServices services;
    private final AgentCards cards;
    private final Authentication access;

    public A2aRoutes(DialectServices services, AgentCards cards, Authentication access) {
        this.services = services;
        this.cards = cards;
        this.access = access;
    }

    public void addTo(Router router) {
        router.get(CARD, exchange -> exchange.json(200, cards.standard()));
        router.get(
                AGENT + CARD,
                access.requireCaller(
                        Permission.READ_CHATS,
                        (exchange, caller) ->
                                exchange.json(
                                        200, cards.of(caller, exchange.pathParameter("agentId")))));
        router.post(
                "/a2a",
                access.requireCaller(
                        Permission.WRITE_CHATS,
                        (exchange, caller) -> answer(exchange, caller, AgentSelection.KEEP)));
        router.post(
                AGENT,
                access.requireCaller(
                        Permission.WRITE_CHATS,
                        (exchange, caller) ->
                                answer(
                                        exchange,
                                        caller,
                                        new AgentSelection(
                                                exchange.pathParameter("agentId"), null))));
    }

    private void answer(Exchange exchange, Caller caller, AgentSelection agent)
            throws IOException, InterruptedException {
        A2aRequest request =
                exchange.readLenientJson(A2aRequest.class, services.threads().maxBodyBytes());
        try {
            call(exchange, caller, request, agent);
        } catch (SatchelException problem) {
            if (exchange.started()) {
                throw problem;
            }
            exchange.json(200, request.error(problem));
        }
    }

    private void call(Exchange exchange, Caller caller, A2aRequest request, AgentSelection agent)
            throws IOException, InterruptedException {
        switch (request.method()) {
            case "SendMessage" -> send(exchange, caller, request, agent);
            case "SendStreamingMessage" -> {
                ClientAnswers.Answered started = start(exchange, caller, request, agent);
                stream(exchange, request, started.run(), started.after());
            }
            case "SubscribeToTask" -> stream(exchange, request, task(caller, request), 0);
            case "GetTask" -> exchange.json(200, request.result(now(task(caller, request))));
            case "CancelTask" -> cancel(exchange, caller, request);
            default -> throw A2aRequest.unknownMethod(request.method());
        }
    }

    /** Answers when the task has ended or asks, or at once if the client wants that. */
    private void send(Exchange exchange, Caller caller, A2aRequest request, AgentSelection agent)
            throws IOException, InterruptedException {
        Run run = start(exchange, caller, request, agent).run();
        TaskEncoder task = encoder(run);
        JsonNode configuration = request.params().path("configuration");
        if (configuration.path("returnImmediately").booleanValue(false)) {
            DialectStream.replay(services.streamer(), run.id(), task, 0);
        } else {
            DialectStream.collect(exchange, services.streamer(), run.id(), task, 0);
        }
        exchange.json(200, request.result(JsonObjects.of("task", task.task())));
    }

    /** Starts a task, or answers what one asks. */
    private ClientAnswers.Answered start(
            Exchange exchange, Caller caller, A2aRequest request, AgentSelection agent)
            throws IOException {
        A2aMessage message = A2aMessage.of(request.params());
        if (message.task().isPresent()) {
            Run run = find(caller, message.task().get());
            return services.answers()
                    .answerInWords(caller, run.conversation(), message.read().text())
                    .orElseThrow(() -> Fields.invalid("taskId", "is a task that asks for nothing"));
        }
        ConversationId chat =
                message.context()
                        .map(name -> ClientThreads.conversation(caller, name))
                        .orElseGet(ConversationId::random);
        Run run =
                services.turns()
                        .start(
                                caller,
                                message.read().turn(chat, agent),
                                exchange.operation().orElse(null));
        return new ClientAnswers.Answered(run, 0);
    }

    private void stream(Exchange exchange, A2aRequest request, Run run, long after)
            throws IOException, InterruptedException {
        DialectStream.send(
                exchange,
                services.streamer(),
                run.id(),
                new RpcEncoder(encoder(run), request),
                List.of(),
                after);
    }

    private void cancel(Exchange exchange, Caller caller, A2aRequest request)
            throws IOException, InterruptedException {
        Run run = task(caller, request);
        if (!run.status().isActive()) {
            throw new SatchelException(ErrorCode.GONE, "the task has ended");
        }
        services.executions().stop(run, StopReason.CANCELLED);
        exchange.json(200, request.result(now(run)));
    }

    private Map<String, Object> now(Run run) throws IOException {
        TaskEncoder task = encoder(run);
        DialectStream.replay(services.streamer(), run.id(), task, 0);
        return task.task();
    }

    private Run task(Caller caller, A2aRequest request) {
        return find(caller, request.params().path("id").stringValue(""));
    }

    private Run find(Caller caller, String id) {
        SatchelException unknown = new SatchelException(ErrorCode.NOT_FOUND, "no such task");
        if (!RunId.isValid(id)) {
            throw unknown;
        }
        return services.threads().run(caller, new RunId(id)).orElseThrow(() -> unknown);
    }

    private TaskEncoder encoder(Run run) {
        return new TaskEncoder(
                services.publicUrl().get(), run.id().value(), run.conversation().value());
    }
}
