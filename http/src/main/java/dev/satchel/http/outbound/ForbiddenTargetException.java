package dev.satchel.http.outbound;

import java.io.IOException;

/** A host that an agent may not reach. */
public final class ForbiddenTargetException extends IOException {
    public ForbiddenTargetException(String message) {
        super(message);
    }
}
