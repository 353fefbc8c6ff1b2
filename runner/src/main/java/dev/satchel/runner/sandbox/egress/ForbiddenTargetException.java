package dev.satchel.runner.sandbox.egress;

import java.io.IOException;

/** A host that the agent may not reach. */
final class ForbiddenTargetException extends IOException {
    ForbiddenTargetException(String message) {
        super(message);
    }
}
