package dev.satchel.cli.chat;

import dev.satchel.client.SatchelClient;
import dev.satchel.client.model.Chat;
import dev.satchel.client.model.ChatThread;
import dev.satchel.client.model.Message;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the turns of a chat that the terminal has not shown. A turn may start and end between two
 * looks, so they are read from the thread.
 */
final class UnseenTurns {
    private static final int PAGE = 50;

    private final SatchelClient client;

    UnseenTurns(SatchelClient client) {
        this.client = client;
    }

    /** The message of a person, and the run that answers it or has answered it. */
    record Turn(Message message, String run, boolean isEnded) {}

    /**
     * The turns after a message, oldest first.
     *
     * @param seen the message; null for all turns
     */
    List<Turn> after(@Nullable String seen, String chat) throws IOException, InterruptedException {
        ChatThread newest = client.chats().read(chat, PAGE, null);
        List<Message> messages = new ArrayList<>(newest.messages());
        ChatThread page = newest;
        while (page.nextCursor() != null && indexOf(seen, messages) < 0) {
            page = client.chats().read(chat, PAGE, page.nextCursor());
            messages.addAll(0, page.messages());
        }
        List<Message> unseen = messages.subList(indexOf(seen, messages) + 1, messages.size());
        List<Turn> turns = new ArrayList<>();
        for (int i = 0; i + 1 < unseen.size(); i++) {
            String run = unseen.get(i + 1).runId();
            if (isOfPerson(unseen.get(i)) && run != null) {
                turns.add(new Turn(unseen.get(i), run, true));
            }
        }
        Chat.ActiveRun active = newest.activeRun();
        if (active != null && !unseen.isEmpty() && isOfPerson(unseen.getLast())) {
            turns.add(new Turn(unseen.getLast(), active.id(), false));
        }
        return turns;
    }

    private static int indexOf(@Nullable String id, List<Message> messages) {
        return messages.stream().map(Message::id).toList().indexOf(id);
    }

    private static boolean isOfPerson(Message message) {
        return message.role().equals("user");
    }
}
