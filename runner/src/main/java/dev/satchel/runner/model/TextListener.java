package dev.satchel.runner.model;

import java.io.IOException;

/** Hears the text of an answer as the model writes it. */
@FunctionalInterface
public interface TextListener {
    void text(String piece) throws IOException;
}
