package dev.satchel.server.dialect;

import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.server.access.Access;
import dev.satchel.server.access.Caller;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.RunFollower;
import dev.satchel.server.run.RunId;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code /api/ai-sdk/chat}: what {@code useChat} calls, with {@code resume}. */
public final class AiSdkRoutes {
    private static final String DONE = "[DONE]";

    private final ForeignThreads threads;
    private final RunFollower follower;
    private final Access access;

    public AiSdkRoutes(ForeignThreads threads, RunFollower follower, Access access) {
        this.threads = threads;
        this.follower = follower;
        this.access = access;
    }

    public void addTo(Router router) {
        String chat = "/api/ai-sdk/chat";
        router.post(chat, access.required(this::send));
        router.get(chat + "/{chatId}/stream", access.required(this::resume));
        router.get(chat + "/{chatId}/messages", access.required(this::messages));
        router.post(chat + "/{chatId}/stop", access.required(this::stop));
    }

    /** Hanging up is no stop here: the client may resume, and has a call for stopping. */
    private void send(Exchange exchange, Caller caller) throws IOException, InterruptedException {
        UiChatRequest request =
                exchange.readLenientJson(UiChatRequest.class, threads.maxBodyBytes());
        String onDisconnect = request.onDisconnect() == null ? "continue" : request.onDisconnect();
        ConversationId chat = ForeignThreads.conversation(caller, request.id());
        Run run = threads.begin(exchange, caller, chat, request.last(), onDisconnect);
        stream(exchange, run.id());
    }

    /** A chat that nobody has spoken in yet has nothing to resume either. */
    private void resume(Exchange exchange, Caller caller) throws IOException, InterruptedException {
        Optional<Run> active = threads.activeTurn(caller, chat(exchange, caller));
        if (active.isEmpty()) {
            exchange.send(204);
            return;
        }
        stream(exchange, active.get().id());
    }

    private void messages(Exchange exchange, Caller caller) {
        exchange.json(200, UiMessages.of(threads.thread(caller, chat(exchange, caller))));
    }

    private void stop(Exchange exchange, Caller caller) throws InterruptedException {
        boolean stopped = threads.stop(caller, exchange.pathParameter("chatId"));
        exchange.json(202, Map.of("cancelled", stopped));
    }

    private void stream(Exchange exchange, RunId run) throws IOException, InterruptedException {
        exchange.header("x-vercel-ai-ui-message-stream", "v1");
        DialectStream.send(exchange, follower, run, new UiMessageTeller(), List.of(DONE));
    }

    private static ConversationId chat(Exchange exchange, Caller caller) {
        return ForeignThreads.conversation(caller, exchange.pathParameter("chatId"));
    }
}
