package dev.satchel.server.share;

import dev.satchel.http.Exchange;
import java.util.UUID;
import java.util.regex.Pattern;

/** The id of a share. It is no secret: who may read a share is asked for each request. */
public record ShareId(String value) {
    private static final Pattern FORM =
            Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

    public ShareId {
        if (!FORM.matcher(value).matches()) {
            throw new IllegalArgumentException("not a share id: " + value);
        }
    }

    static ShareId random() {
        return new ShareId(UUID.randomUUID().toString());
    }

    /**
     * The {@code shareId} of the path; one that cannot be an id is answered like an unknown one.
     */
    static ShareId of(Exchange exchange) {
        String id = exchange.pathParameter("shareId");
        if (!FORM.matcher(id).matches()) {
            throw ShareService.noSuchShare();
        }
        return new ShareId(id);
    }
}
