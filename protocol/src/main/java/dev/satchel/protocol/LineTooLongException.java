package dev.satchel.protocol;

import java.io.IOException;

public final class LineTooLongException extends IOException {
    public LineTooLongException(int limit) {
        super("a line is longer than " + limit + " bytes");
    }
}
