package dev.satchel.server.approval;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.Fields;
import dev.satchel.http.Router;
import dev.satchel.http.SatchelException;
import dev.satchel.http.paging.PageRequest;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.conversation.RunId;
import java.io.IOException;

/** {@code GET /api/asks} and {@code POST /api/runs/{runId}/answers}. */
public final class AskRoutes {
    private final AnswerService answers;
    private final Authentication access;

    public AskRoutes(AnswerService answers, Authentication access) {
        this.answers = answers;
        this.access = access;
    }

    public void addTo(Router router) {
        router.get("/api/asks", access.requireCaller(Permission.READ_CHATS, this::list));
        router.post(
                "/api/runs/{runId}/answers",
                access.requireCaller(Permission.WRITE_CHATS, this::answer));
    }

    private void list(Exchange exchange, Caller caller) {
        PageRequest page = PageRequest.of(exchange);
        StoredAsk.Status status = status(exchange.query("status").orElse("open"));
        exchange.json(200, AskView.Page.of(answers.page(caller, status, page), page.limit()));
    }

    private static StoredAsk.Status status(String text) {
        return switch (text) {
            case "open" -> StoredAsk.Status.OPEN;
            case "answered" -> StoredAsk.Status.ANSWERED;
            case "ended" -> StoredAsk.Status.ENDED;
            default -> throw Fields.invalid("status", "must be open, answered or ended");
        };
    }

    private void answer(Exchange exchange, Caller caller) throws IOException {
        String id = exchange.pathParameter("runId");
        if (!RunId.isValid(id)) {
            throw new SatchelException(ErrorCode.NOT_FOUND, "no such run");
        }
        AnswerRequest request = exchange.readJson(AnswerRequest.class);
        exchange.json(202, answers.answer(caller, new RunId(id), request));
    }
}
