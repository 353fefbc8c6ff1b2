package dev.satchel.server.mcp;

import java.util.List;

/** The two forms of the protocol: with a handshake, or with all information in each request. */
enum ProtocolEra {
    LEGACY,
    MODERN;

    static final String NEWEST = "2026-07-28";
    static final String NEWEST_LEGACY = "2025-11-25";

    private static final List<String> LEGACY_VERSIONS =
            List.of(NEWEST_LEGACY, "2025-06-18", "2025-03-26");

    /** Every supported version, newest first. */
    static List<String> versions() {
        return List.of(NEWEST, NEWEST_LEGACY, "2025-06-18", "2025-03-26");
    }

    static boolean isLegacy(String version) {
        return LEGACY_VERSIONS.contains(version);
    }
}
