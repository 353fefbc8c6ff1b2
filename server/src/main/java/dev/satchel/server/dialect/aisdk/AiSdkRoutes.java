package dev.satchel.server.dialect.aisdk;

import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
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
import dev.satchel.server.turn.OnDisconnect;
import dev.satchel.server.turn.TurnService;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** {@code /api/ai-sdk/chat}: the routes that {@code useChat} calls, with {@code resume}. */
public final class AiSdkRoutes {
    private static final String DONE = "[DONE]";

    private final TurnService turns;
    private final ClientThreads threads;
    private final ClientAnswers answers;
    private final Executions executions;
    private final RunLogStreamer streamer;
    private final Supplier<URI> publicUrl;
    private final Authentication access;

    public AiSdkRoutes(DialectServices services, Authentication access) {
        this.turns = services.turns();
        this.threads = services.threads();
        this.answers = services.answers();
        this.executions = services.executions();
        this.streamer = services.streamer();
        this.publicUrl = services.publicUrl();
        this.access = access;
    }

    public void addTo(Router router) {
        String chat = "/api/ai-sdk/chat";
        router.post(chat, access.requireCaller(Permission.WRITE_CHATS, this::send));
        router.get(
                chat + "/{chatId}/stream",
                access.requireCaller(Permission.READ_CHATS, this::resume));
        router.get(
                chat + "/{chatId}/messages",
                access.requireCaller(Permission.READ_CHATS, this::messages));
        router.post(
                chat + "/{chatId}/stop", access.requireCaller(Permission.WRITE_CHATS, this::stop));
    }

    /** The run continues by default: the client may resume, and has a call to stop it. */
    private void send(Exchange exchange, Caller caller) throws IOException, InterruptedException {
        UiChatRequest request =
                exchange.readLenientJson(UiChatRequest.class, threads.maxBodyBytes());
        OnDisconnect onDisconnect =
                OnDisconnect.parse(request.onDisconnect(), OnDisconnect.CONTINUE);
        ConversationId chat = ClientThreads.conversation(caller, request.id());
        List<AnswerRequest.Answer> given = request.answers();
        if (!given.isEmpty()) {
            ClientAnswers.Answered answered = answers.answer(caller, chat, given);
            onDisconnect.apply(executions, streamer.readers(), exchange, answered.run().id());
            stream(exchange, answered.run().id(), answered.after());
            return;
        }
        Run run =
                turns.start(
                        caller,
                        threads.turn(
                                caller,
                                chat,
                                request.last(),
                                request.selection(),
                                request.intent()),
                        exchange.operation().orElse(null));
        onDisconnect.apply(executions, streamer.readers(), exchange, run.id());
        stream(exchange, run.id());
    }

    /** 204 when no turn is in progress, also for a chat that does not exist yet. */
    private void resume(Exchange exchange, Caller caller) throws IOException, InterruptedException {
        Optional<Run> active = threads.activeTurn(caller, chat(exchange, caller));
        if (active.isEmpty()) {
            exchange.send(204);
            return;
        }
        stream(exchange, active.get().id());
    }

    private void messages(Exchange exchange, Caller caller) {
        exchange.json(
                200,
                new UiMessages(publicUrl.get()).of(threads.thread(caller, chat(exchange, caller))));
    }

    private void stop(Exchange exchange, Caller caller) throws InterruptedException {
        boolean stopped = threads.stop(caller, exchange.pathParameter("chatId"));
        exchange.json(202, Map.of("cancelled", stopped));
    }

    private void stream(Exchange exchange, RunId run) throws IOException, InterruptedException {
        stream(exchange, run, 0);
    }

    private void stream(Exchange exchange, RunId run, long after)
            throws IOException, InterruptedException {
        exchange.header("x-vercel-ai-ui-message-stream", "v1");
        DialectStream.send(
                exchange,
                streamer,
                run,
                new UiMessageEncoder(publicUrl.get()),
                List.of(DONE),
                after);
    }

    private static ConversationId chat(Exchange exchange, Caller caller) {
        return ClientThreads.conversation(caller, exchange.pathParameter("chatId"));
    }
}
