package dev.satchel.bench.upload;

import java.util.Map;

/** Where files are sent, and a server that takes large and many ones. */
final class UploadServer {
    static final String PATH = "/agent-server/api/upload";

    private static final String MANY_BYTES = Long.toString(1L << 40);

    static final Map<String, String> UNLIMITED =
            Map.of(
                    "SATCHEL_MAX_FILE_BYTES",
                    MANY_BYTES,
                    "SATCHEL_MAX_BAG_BYTES",
                    MANY_BYTES,
                    "SATCHEL_MAX_BAG_FILES",
                    "100000");

    private UploadServer() {}
}
