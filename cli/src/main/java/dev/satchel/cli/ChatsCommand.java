package dev.satchel.cli;

import dev.satchel.cli.common.IdResolver;
import dev.satchel.cli.common.ServerOptions;
import dev.satchel.cli.output.HumanFormat;
import dev.satchel.cli.output.MessagePrinter;
import dev.satchel.cli.output.Table;
import dev.satchel.client.SatchelClient;
import dev.satchel.client.model.Branch;
import dev.satchel.client.model.BranchPage;
import dev.satchel.client.model.Chat;
import dev.satchel.client.model.ChatThread;
import dev.satchel.client.model.ReceivedShare;
import dev.satchel.client.model.Share;
import dev.satchel.client.model.ThreadHead;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The chats of a tenant. */
@Command(
        name = "chats",
        mixinStandardHelpOptions = true,
        description = "Lists and changes chats, the newest first.")
final class ChatsCommand implements Callable<Integer> {
    private static final String CHAT = "CHAT";
    private static final String MESSAGE = "MESSAGE";
    private static final int LISTED = 20;
    private static final int PAGE = 100;

    private static final Table<Branch> BRANCHES =
            new Table<Branch>()
                    .column("", branch -> branch.active() ? "*" : "")
                    .column("TIP", Branch::tipId)
                    .column("BEGAN", branch -> HumanFormat.dateTime(branch.createdAt()))
                    .column("MESSAGES", branch -> Long.toString(branch.messages()))
                    .column("TEXT", branch -> HumanFormat.abbreviate(branch.text(), 50));

    private static final Table<Share> SHARES =
            new Table<Share>()
                    .column("ID", Share::id)
                    .column(
                            "WITH",
                            share -> Objects.requireNonNullElse(share.userId(), share.with()))
                    .column("CREATED", share -> HumanFormat.dateTime(share.createdAt()))
                    .column("ENDS", share -> time(share.until()));

    private static final Table<ReceivedShare> RECEIVED =
            new Table<ReceivedShare>()
                    .column("ID", ReceivedShare::id)
                    .column(
                            "BY",
                            share -> Objects.requireNonNullElse(share.userName(), share.userId()))
                    .column("CREATED", share -> HumanFormat.dateTime(share.createdAt()))
                    .column("ENDS", share -> time(share.until()))
                    .column(
                            "TITLE",
                            share ->
                                    HumanFormat.abbreviate(
                                            Objects.requireNonNullElse(share.title(), ""), 50));

    private final ServerOptions server;

    ChatsCommand(ServerOptions server) {
        this.server = server;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        return ls(LISTED, false);
    }

    @Command(description = "Lists chats, the newest first.")
    int ls(
            @Option(
                            names = "--limit",
                            paramLabel = "N",
                            defaultValue = "20",
                            description = ServerOptions.LIMIT)
                    int limit,
            @Option(names = "--archived", description = "Lists those that are archived")
                    boolean archived)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    output.list(
                            (archived
                                            ? client.chats().listArchived(limit, null)
                                            : client.chats().list(limit, null))
                                    .chats(),
                            new Table<Chat>()
                                    .column("ID", Chat::id)
                                    .column(
                                            "CHANGED",
                                            chat -> HumanFormat.dateTime(chat.updatedAt()))
                                    .column("MESSAGES", chat -> Long.toString(chat.messageCount()))
                                    .column("STATE", chat -> chat.isBusy() ? "running" : "idle")
                                    .column("PINNED", chat -> chat.pinned() ? "yes" : "")
                                    .column("TITLE", ChatsCommand::title));
                });
    }

    @Command(description = "Prints the messages of a chat, oldest first.")
    int show(
            @Parameters(paramLabel = CHAT) String chat,
            @Option(
                            names = "--limit",
                            paramLabel = "N",
                            defaultValue = "50",
                            description = ServerOptions.LIMIT)
                    int limit)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    ChatThread thread =
                            client.chats().read(IdResolver.chat(client, chat), limit, null);
                    if (output.isJson()) {
                        output.json(thread);
                        return;
                    }
                    thread.messages().forEach(message -> MessagePrinter.print(message, output));
                });
    }

    @Command(name = "new", description = "Creates an empty chat and prints its id.")
    int create(@Parameters(paramLabel = "TITLE", arity = "0..1") @Nullable String title)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    Chat chat = client.chats().create(title);
                    output.value(chat, chat.id());
                });
    }

    @Command(description = "Changes the title of a chat.")
    int rename(
            @Parameters(paramLabel = CHAT) String chat,
            @Parameters(paramLabel = "TITLE") String title)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    Chat renamed = client.chats().rename(IdResolver.chat(client, chat), title);
                    output.value(renamed, renamed.id());
                });
    }

    @Command(description = "Pins a chat, which then does not expire; --undo unpins it.")
    int pin(
            @Parameters(paramLabel = CHAT) String chat,
            @Option(names = "--undo", description = "Unpins it") boolean undo)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    Chat pinned = client.chats().pin(IdResolver.chat(client, chat), !undo);
                    output.value(pinned, pinned.id());
                });
    }

    @Command(description = "Moves a chat out of the list into that of archived chats.")
    int archive(
            @Parameters(paramLabel = CHAT) String chat,
            @Option(
                            names = "--undo",
                            description =
                                    "Moves it back; with the complete id, as ls --archived has it")
                    boolean undo)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    String id = undo ? chat : IdResolver.chat(client, chat);
                    Chat archived = client.chats().archive(id, !undo);
                    output.value(archived, archived.id());
                });
    }

    @Command(
            description = {
                "Lists the branches of a chat, which edits and retries begin; * is on the active path.",
                "With MESSAGE: makes the path with that message active, with its files."
            })
    int branches(
            @Parameters(paramLabel = CHAT) String chat,
            @Parameters(
                            paramLabel = MESSAGE,
                            arity = "0..1",
                            description = "A TIP of the list or its beginning, or any message")
                    @Nullable String message,
            @Option(
                            names = "--exact",
                            description =
                                    "End the path at MESSAGE: what is sent next begins a branch"
                                            + " there")
                    boolean exact)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    String id = IdResolver.chat(client, chat);
                    List<Branch> branches = allBranches(client, id);
                    if (message == null) {
                        output.list(branches, BRANCHES);
                        return;
                    }
                    String wanted = exact ? message : tip(branches, message);
                    ThreadHead head = client.chats().switchTo(id, wanted, exact);
                    output.value(
                            head,
                            head.undo() == null
                                    ? head.headId()
                                    : head.headId()
                                            + "\nthe files that were left are in the snapshot "
                                            + head.undo());
                });
    }

    private static List<Branch> allBranches(SatchelClient client, String chat)
            throws IOException, InterruptedException {
        List<Branch> all = new ArrayList<>();
        String cursor = null;
        do {
            BranchPage page = client.chats().branches(chat, PAGE, cursor);
            all.addAll(page.branches());
            cursor = page.nextCursor();
        } while (cursor != null);
        return all;
    }

    /** The one tip that begins with a text, else the text: it may be any message. */
    private static String tip(List<Branch> branches, String given) {
        List<String> tips =
                branches.stream().map(Branch::tipId).filter(it -> it.startsWith(given)).toList();
        return tips.size() == 1 ? tips.getFirst() : given;
    }

    @Command(
            description = {
                "Copies a chat with its files and prints the id of the copy.",
                "With MESSAGE: only up to that message, with the files of then."
            })
    int fork(
            @Parameters(paramLabel = CHAT) String chat,
            @Parameters(paramLabel = MESSAGE, arity = "0..1") @Nullable String message)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    String copy = client.chats().fork(IdResolver.chat(client, chat), message);
                    output.value(Map.of("id", copy), copy);
                });
    }

    @Command(
            description = {
                "Shares a chat as it is now, to read only, and prints the link.",
                "With --with: prints the id of the share instead."
            })
    int share(
            @Parameters(paramLabel = CHAT) String chat,
            @Option(
                            names = "--with",
                            paramLabel = "PERSON",
                            description = "Id of a person of the tenant, or tenant for all of them")
                    @Nullable String with,
            @Option(
                            names = "--days",
                            paramLabel = "DAYS",
                            description = "Days until it ends; never by default")
                    @Nullable Integer days)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    String id = IdResolver.chat(client, chat);
                    Instant until = days == null ? null : Instant.now().plus(Duration.ofDays(days));
                    Share share = share(client, id, with, until);
                    output.value(share, Objects.requireNonNullElse(share.url(), share.id()));
                });
    }

    private static Share share(
            SatchelClient client, String chat, @Nullable String with, @Nullable Instant until)
            throws IOException, InterruptedException {
        if (with == null) {
            return client.shares().withLink(chat, until);
        }
        return with.equals("tenant")
                ? client.shares().withTenant(chat, until)
                : client.shares().withPerson(chat, with, until);
    }

    @Command(
            description = {
                "Lists what you share of a chat, without the links.",
                "Without CHAT: lists what others share with you."
            })
    int shares(@Parameters(paramLabel = CHAT, arity = "0..1") @Nullable String chat)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    if (chat == null) {
                        output.list(client.shares().received(PAGE, null).shares(), RECEIVED);
                        return;
                    }
                    output.list(client.shares().list(IdResolver.chat(client, chat)), SHARES);
                });
    }

    @Command(description = "Ends a share of a chat at once, also its link.")
    int unshare(
            @Parameters(paramLabel = CHAT) String chat,
            @Parameters(paramLabel = "SHARE", description = "Its id or the beginning of it")
                    String share)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    String id = IdResolver.chat(client, chat);
                    Share found =
                            IdResolver.resolve(
                                    "share",
                                    share,
                                    client.shares().list(id),
                                    Share::id,
                                    Share::with);
                    client.shares().revoke(id, found.id());
                    output.value(Map.of("id", found.id(), "revoked", true), found.id());
                });
    }

    @Command(description = "Cancels the running turn.")
    int cancel(@Parameters(paramLabel = CHAT) String chat)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    boolean cancelled = client.chats().cancel(IdResolver.chat(client, chat));
                    output.value(
                            Map.of("cancelled", cancelled),
                            cancelled ? "cancelled" : "nothing was running");
                });
    }

    @Command(description = "Deletes a chat with its files; restore undoes it.")
    int rm(@Parameters(paramLabel = CHAT) String chat) throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    String id = IdResolver.chat(client, chat);
                    client.chats().delete(id);
                    output.value(Map.of("id", id, "deleted", true), id);
                });
    }

    @Command(description = "Restores a deleted chat.")
    int restore(@Parameters(paramLabel = CHAT, description = "Complete id") String chat)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    Chat restored = client.chats().restore(chat);
                    output.value(restored, restored.id());
                });
    }

    private static String time(@Nullable Instant time) {
        return time == null ? "-" : HumanFormat.dateTime(time);
    }

    private static String title(Chat chat) {
        return HumanFormat.abbreviate(Objects.requireNonNullElse(chat.title(), ""), 50);
    }
}
