package dev.satchel.runner.model;

import java.io.IOException;

/** Receives the text of an answer while the model writes it. */
@FunctionalInterface
public interface TextListener {
    void text(String piece) throws IOException;
}
