package dev.satchel.server.search;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a text belongs to. The ids are texts here, since the packages that index their rows own the
 * types of the ids.
 *
 * @param conversation null for an asset
 * @param id of the message, the file or the asset; of the conversation for its title
 */
public record IndexedItem(Kind kind, @Nullable String conversation, String id) {
    /** The kinds of hits. */
    public enum Kind {
        MESSAGE,
        CHAT,
        FILE,
        ASSET;

        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Kind of(String wireName) {
            return valueOf(wireName.toUpperCase(Locale.ROOT));
        }

        boolean isFile() {
            return this == FILE || this == ASSET;
        }
    }

    public static IndexedItem file(String conversation, String file) {
        return new IndexedItem(Kind.FILE, conversation, file);
    }

    public static IndexedItem asset(String asset) {
        return new IndexedItem(Kind.ASSET, null, asset);
    }
}
