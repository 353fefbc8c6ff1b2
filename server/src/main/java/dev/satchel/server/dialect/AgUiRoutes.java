package dev.satchel.server.dialect;

import dev.satchel.http.EventStream;
import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.protocol.Json;
import dev.satchel.server.access.Access;
import dev.satchel.server.access.Caller;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.RunFollower;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code /api/ag-ui}: AG-UI 1.0 over HTTP and server-sent events. */
public final class AgUiRoutes {
    private final ForeignThreads threads;
    private final RunFollower follower;
    private final Access access;

    public AgUiRoutes(ForeignThreads threads, RunFollower follower, Access access) {
        this.threads = threads;
        this.follower = follower;
        this.access = access;
    }

    public void addTo(Router router) {
        router.post("/api/ag-ui", access.required(this::run));
        router.post("/api/ag-ui/connect", access.required(this::connect));
        router.post("/api/ag-ui/{threadId}/stop", access.required(this::stop));
    }

    private void run(Exchange exchange, Caller caller) throws IOException, InterruptedException {
        AgUiInput input = exchange.readLenientJson(AgUiInput.class, threads.maxBodyBytes());
        ConversationId chat = ForeignThreads.conversation(caller, input.threadId());
        Run run =
                threads.begin(
                        exchange,
                        caller,
                        chat,
                        input.last(),
                        input.onDisconnect(exchange.operation().isPresent()));
        AgUiTeller teller = new AgUiTeller(input.threadId(), input.runId(), List.of());
        DialectStream.send(exchange, follower, run.id(), teller, List.of());
    }

    /** The protocol cannot resume by number: whoever comes back gets the thread, then what runs. */
    private void connect(Exchange exchange, Caller caller)
            throws IOException, InterruptedException {
        AgUiInput input = exchange.readLenientJson(AgUiInput.class, threads.maxBodyBytes());
        ConversationId chat = ForeignThreads.conversation(caller, input.threadId());
        Optional<Run> active = threads.activeTurn(caller, chat);
        Object snapshot = AgUiHistory.snapshot(threads.thread(caller, chat));
        AgUiTeller teller = new AgUiTeller(input.threadId(), input.runId(), List.of(snapshot));
        if (active.isPresent()) {
            DialectStream.send(exchange, follower, active.get().id(), teller, List.of());
            return;
        }
        try (EventStream events = exchange.events()) {
            events.sendData(
                    teller.onlyHistory().stream().map(Json.MAPPER::writeValueAsString).toList());
        }
    }

    private void stop(Exchange exchange, Caller caller) throws InterruptedException {
        boolean stopped = threads.stop(caller, exchange.pathParameter("threadId"));
        exchange.json(202, Map.of("cancelled", stopped));
    }
}
