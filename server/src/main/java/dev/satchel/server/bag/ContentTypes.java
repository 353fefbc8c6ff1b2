package dev.satchel.server.bag;

import java.io.BufferedInputStream;

/** TEMPORARY until s1 lands. */
final class ContentTypes {
    private ContentTypes() {}

    static String detect(String name, BufferedInputStream content) {
        return name.endsWith(".txt") ? "text/plain" : "application/octet-stream";
    }
}
