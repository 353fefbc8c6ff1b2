package dev.satchel.http.outbound;

import java.io.IOException;

/**
 * A host that an agent may not reach. The message is the same for every reason, also for a name
 * that does not exist, so that nobody can find out the names and addresses of the private network;
 * only the log has the reason.
 */
public final class ForbiddenTargetException extends IOException {
    private final String reason;

    public ForbiddenTargetException(HostAndPort target, String reason) {
        this(target.host() + ":" + target.port(), reason);
    }

    public ForbiddenTargetException(String target, String reason) {
        super(
                target
                        + " is not among the allowed hosts, is no public host, or leads to a"
                        + " private address, which only the operator can allow");
        this.reason = reason;
    }

    /** For the log only. */
    String reason() {
        return reason;
    }
}
