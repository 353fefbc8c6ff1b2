package dev.satchel.server.dialect.openai;

import dev.satchel.server.dialect.ClientMessageBuilder;

/** Finds the files that a message names by their ids. */
@FunctionalInterface
interface OpenAiFileReferences {
    /** The ids of clients have this before ours. */
    String PREFIX = "file-";

    void add(String id, ClientMessageBuilder message);

    /** Our id of a file. */
    static String ours(String id) {
        return id.startsWith(PREFIX) ? id.substring(PREFIX.length()) : id;
    }
}
