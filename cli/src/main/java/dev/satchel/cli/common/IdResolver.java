package dev.satchel.cli.common;

import dev.satchel.client.SatchelClient;
import dev.satchel.client.model.Agent;
import dev.satchel.client.model.Asset;
import dev.satchel.client.model.AssetPage;
import dev.satchel.client.model.Chat;
import dev.satchel.client.model.ChatPage;
import dev.satchel.client.model.FileInfo;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Resolves an id, the beginning of an id, a name, or {@code last}. */
public final class IdResolver {
    private static final int ID_LENGTH = 36;
    private static final int PAGE_SIZE = 100;

    /** How many pages of results are searched for the beginning of an id. */
    private static final int MAX_PAGES = 20;

    private static final String LAST = "last";

    private IdResolver() {}

    public static String chat(SatchelClient client, String given)
            throws IOException, InterruptedException {
        if (given.length() == ID_LENGTH) {
            return given;
        }
        List<Chat> chats = new ArrayList<>();
        String cursor = null;
        for (int page = 0; page < MAX_PAGES; page++) {
            ChatPage found = client.chats().list(given.equals(LAST) ? 1 : PAGE_SIZE, cursor);
            chats.addAll(found.chats());
            cursor = found.nextCursor();
            if (cursor == null || given.equals(LAST)) {
                break;
            }
        }
        if (given.equals(LAST) && !chats.isEmpty()) {
            return chats.getFirst().id();
        }
        return resolve("chat", given, chats, Chat::id, _ -> "").id();
    }

    public static Agent agent(SatchelClient client, String given)
            throws IOException, InterruptedException {
        return resolve("agent", given, client.agents().list(), Agent::id, Agent::name);
    }

    public static Asset asset(SatchelClient client, String given)
            throws IOException, InterruptedException {
        List<Asset> assets = new ArrayList<>();
        String cursor = null;
        for (int page = 0; page < MAX_PAGES; page++) {
            AssetPage found = client.assets().list("", PAGE_SIZE, cursor);
            assets.addAll(found.assets());
            cursor = found.nextCursor();
            if (cursor == null) {
                break;
            }
        }
        return resolve("asset", given, assets, Asset::id, Asset::name);
    }

    public static FileInfo file(List<FileInfo> files, String given) {
        return resolve("file", given, files, FileInfo::id, FileInfo::name);
    }

    /** An exact id or name comes first; otherwise exactly one id must begin with the text. */
    public static <T> T resolve(
            String kind,
            String given,
            List<T> all,
            Function<T, String> id,
            Function<T, @Nullable String> name) {
        for (T each : all) {
            if (given.equals(id.apply(each)) || given.equals(name.apply(each))) {
                return each;
            }
        }
        List<T> matching = all.stream().filter(each -> id.apply(each).startsWith(given)).toList();
        if (matching.isEmpty()) {
            throw new CliException(ExitCode.NOT_FOUND, "no " + kind + " " + given);
        }
        if (matching.size() > 1) {
            throw new CliException(
                    ExitCode.WRONG_USE,
                    "the ids of " + matching.size() + " " + kind + "s begin with " + given);
        }
        return matching.getFirst();
    }
}
