package dev.satchel.http.connection;

import java.io.IOException;

/** The client closed the connection before its response was complete. No error of the server. */
public final class ClientDisconnectedException extends IOException {
    public ClientDisconnectedException() {
        this("the client has disconnected");
    }

    public ClientDisconnectedException(String message) {
        super(message);
    }
}
