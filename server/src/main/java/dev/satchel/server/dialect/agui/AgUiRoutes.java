package dev.satchel.server.dialect.agui;

import dev.satchel.http.EventStream;
import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.protocol.Json;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.approval.AnswerRequest;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.dialect.ClientAnswers;
import dev.satchel.server.dialect.ClientThreads;
import dev.satchel.server.dialect.DialectServices;
import dev.satchel.server.dialect.DialectStream;
import dev.satchel.server.execution.Executions;
import dev.satchel.server.run.Run;
import dev.satchel.server.runlog.RunLogStreamer;
import dev.satchel.server.runlog.RunReaders;
import dev.satchel.server.turn.OnDisconnect;
import dev.satchel.server.turn.TurnRequest;
import dev.satchel.server.turn.TurnService;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code /api/ag-ui}: AG-UI 1.0 over HTTP and server-sent events. */
public final class AgUiRoutes {
    private final TurnService turns;
    private final ClientThreads threads;
    private final ClientAnswers answers;
    private final Executions executions;
    private final RunLogStreamer streamer;
    private final Authentication access;

    public AgUiRoutes(DialectServices services, Authentication access) {
        this.turns = services.turns();
        this.threads = services.threads();
        this.answers = services.answers();
        this.executions = services.executions();
        this.streamer = services.streamer();
        this.access = access;
    }

    public void addTo(Router router) {
        router.post("/api/ag-ui", access.requireCaller(Permission.WRITE_CHATS, this::run));
        router.post(
                "/api/ag-ui/connect", access.requireCaller(Permission.READ_CHATS, this::connect));
        router.post(
                "/api/ag-ui/{threadId}/stop",
                access.requireCaller(Permission.WRITE_CHATS, this::stop));
    }

    private void run(Exchange exchange, Caller caller) throws IOException, InterruptedException {
        AgUiInput input = exchange.readLenientJson(AgUiInput.class, threads.maxBodyBytes());
        ConversationId chat = ClientThreads.conversation(caller, input.threadId());
        OnDisconnect onDisconnect = input.onDisconnect(exchange.operation().isPresent());
        List<AnswerRequest.Answer> given = input.answers();
        ClientAnswers.Answered started =
                given.isEmpty()
                        ? start(
                                exchange,
                                caller,
                                threads.turn(
                                        caller,
                                        chat,
                                        input.last(),
                                        input.selection(),
                                        ClientThreads.Intent.UNKNOWN))
                        : answers.answer(caller, chat, given);
        RunId run = started.run().id();
        onDisconnect.apply(executions, streamer.readers(), exchange, run);
        AgUiMessages messages =
                input.smallMessages().map(AgUiMessages::new).orElseGet(AgUiMessages::unknown);
        AgUiEncoder encoder = new AgUiEncoder(input.threadId(), input.runId(), messages, List.of());
        DialectStream.send(exchange, streamer, run, encoder, List.of(), started.after());
    }

    private ClientAnswers.Answered start(Exchange exchange, Caller caller, TurnRequest turn)
            throws IOException {
        Run run = turns.start(caller, turn, exchange.operation().orElse(null));
        return new ClientAnswers.Answered(run, 0);
    }

    /** The protocol cannot resume by number: a client receives the thread, then the active run. */
    private void connect(Exchange exchange, Caller caller)
            throws IOException, InterruptedException {
        AgUiInput input = exchange.readLenientJson(AgUiInput.class, threads.maxBodyBytes());
        ConversationId chat = ClientThreads.conversation(caller, input.threadId());
        Optional<Run> active = threads.activeTurn(caller, chat);
        ClientThreads.ThreadTail thread = threads.thread(caller, chat);
        List<Object> messages = AgUiHistory.messages(thread);
        AgUiEncoder encoder =
                new AgUiEncoder(
                        input.threadId(),
                        input.runId(),
                        new AgUiMessages(messages),
                        AgUiHistory.events(thread, messages));
        if (active.isPresent()) {
            try (RunReaders.Reader _ =
                    streamer.readers().addFollower(active.get().id(), exchange)) {
                DialectStream.send(exchange, streamer, active.get().id(), encoder, List.of());
            }
            return;
        }
        try (EventStream events = exchange.events()) {
            events.sendData(
                    encoder.onlyHistory().stream().map(Json.MAPPER::writeValueAsString).toList());
        }
    }

    private void stop(Exchange exchange, Caller caller) throws InterruptedException {
        boolean stopped = threads.stop(caller, exchange.pathParameter("threadId"));
        exchange.json(202, Map.of("cancelled", stopped));
    }
}
