package dev.satchel.cli;

import dev.satchel.client.Agent;
import dev.satchel.client.Asset;
import dev.satchel.client.AssetPage;
import dev.satchel.client.Chat;
import dev.satchel.client.ChatPage;
import dev.satchel.client.FileInfo;
import dev.satchel.client.SatchelClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Finds what a person means by the beginning of an id, by a name, or by {@code last}. */
final class Ids {
    private static final int WHOLE = 36;
    private static final int PAGE = 100;

    /** Further back we do not look for the beginning of an id. */
    private static final int MOST_PAGES = 20;

    private static final String LAST = "last";

    private Ids() {}

    static String chat(SatchelClient client, String given)
            throws IOException, InterruptedException {
        if (given.length() == WHOLE) {
            return given;
        }
        List<Chat> chats = new ArrayList<>();
        String cursor = null;
        for (int page = 0; page < MOST_PAGES; page++) {
            ChatPage found = client.chats().list(given.equals(LAST) ? 1 : PAGE, cursor);
            chats.addAll(found.chats());
            cursor = found.nextCursor();
            if (cursor == null || given.equals(LAST)) {
                break;
            }
        }
        if (given.equals(LAST) && !chats.isEmpty()) {
            return chats.getFirst().id();
        }
        return one("chat", given, chats, Chat::id, _ -> "").id();
    }

    static Agent agent(SatchelClient client, String given)
            throws IOException, InterruptedException {
        return one("agent", given, client.agents().list(), Agent::id, Agent::name);
    }

    static Asset asset(SatchelClient client, String given)
            throws IOException, InterruptedException {
        List<Asset> assets = new ArrayList<>();
        String cursor = null;
        for (int page = 0; page < MOST_PAGES; page++) {
            AssetPage found = client.assets().list("", PAGE, cursor);
            assets.addAll(found.assets());
            cursor = found.nextCursor();
            if (cursor == null) {
                break;
            }
        }
        return one("asset", given, assets, Asset::id, Asset::name);
    }

    static FileInfo file(List<FileInfo> files, String given) {
        return one("file", given, files, FileInfo::id, FileInfo::name);
    }

    /** A whole id or name wins over the beginning of an id, which must fit one only. */
    static <T> T one(
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
        List<T> fitting = all.stream().filter(each -> id.apply(each).startsWith(given)).toList();
        if (fitting.isEmpty()) {
            throw new CliException(ExitCode.NOT_FOUND, "no " + kind + " " + given);
        }
        if (fitting.size() > 1) {
            throw new CliException(
                    ExitCode.WRONG_USE,
                    "the ids of " + fitting.size() + " " + kind + "s begin with " + given);
        }
        return fitting.getFirst();
    }
}
