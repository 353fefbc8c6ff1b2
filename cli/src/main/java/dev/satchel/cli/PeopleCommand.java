package dev.satchel.cli;

import dev.satchel.cli.common.DownloadWriter;
import dev.satchel.cli.common.IdResolver;
import dev.satchel.cli.common.ServerOptions;
import dev.satchel.cli.output.HumanFormat;
import dev.satchel.cli.output.Table;
import dev.satchel.client.DownloadStream;
import dev.satchel.client.SatchelClient;
import dev.satchel.client.model.Invitation;
import dev.satchel.client.model.Person;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The people of the tenant. */
@Command(
        name = "people",
        mixinStandardHelpOptions = true,
        description = "Lists, invites, changes and removes the people of the tenant.")
final class PeopleCommand implements Callable<Integer> {
    private final ServerOptions server;

    PeopleCommand(ServerOptions server) {
        this.server = server;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        return ls();
    }

    @Command(description = "Lists the people.")
    int ls() throws IOException, InterruptedException {
        return server.perform(
                (client, output) ->
                        output.list(
                                client.people().list(),
                                new Table<Person>()
                                        .column("ID", Person::id)
                                        .column(
                                                "SINCE",
                                                person -> HumanFormat.dateTime(person.createdAt()))
                                        .column("ROLE", Person::role)
                                        .column("E-MAIL", PeopleCommand::email)
                                        .column("NAME", Person::name)));
    }

    private static String email(Person person) {
        String email = person.email();
        return email == null ? "-" : email;
    }

    @Command(description = "Invites a person and prints the link that signs them in once.")
    int invite(
            @Parameters(paramLabel = "NAME", description = "Name of the person") String name,
            @Option(
                            names = "--email",
                            paramLabel = "ADDRESS",
                            description = "Address with which they sign in by a password")
                    @Nullable String email,
            @Option(
                            names = "--role",
                            paramLabel = "ROLE",
                            defaultValue = "member",
                            description = "owner, member (default) or viewer")
                    String role)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    Invitation made = client.people().invite(name, email, role);
                    output.value(made, made.url());
                });
    }

    @Command(name = "link", description = "Prints a new link for a person; older ones end.")
    int link(
            @Parameters(paramLabel = "PERSON", description = "Id or name") String person,
            @Option(
                            names = "--reset",
                            description =
                                    "Also for one who has signed in before; it is audited, and the"
                                            + " person sees it")
                    boolean reset)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    String id = find(client, person).id();
                    Invitation made =
                            reset
                                    ? client.people().resetAccess(id)
                                    : client.people().inviteAgain(id);
                    output.value(made, made.url());
                });
    }

    @Command(description = "Changes the role of a person.")
    int role(
            @Parameters(paramLabel = "PERSON", description = "Id or name") String person,
            @Parameters(paramLabel = "ROLE", description = "owner, member or viewer") String role)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    Person changed = client.people().setRole(find(client, person).id(), role);
                    output.value(changed, changed.name() + " is " + changed.role());
                });
    }

    @Command(description = "Removes a person: their keys, sessions and open requests end at once.")
    int remove(@Parameters(paramLabel = "PERSON", description = "Id or name") String person)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    Person found = find(client, person);
                    client.people().remove(found.id());
                    output.value(Map.of("id", found.id(), "removed", true), found.name());
                });
    }

    @Command(
            description =
                    "Downloads everything of yours as a zip archive, to this folder, to TO, or with"
                            + " - to standard output.")
    int export(@Parameters(paramLabel = "TO", arity = "0..1") @Nullable String to)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    try (DownloadStream content = client.people().export()) {
                        DownloadWriter.save(content, "satchel-export.zip", to, output);
                    }
                });
    }

    private static Person find(SatchelClient client, String given)
            throws IOException, InterruptedException {
        return IdResolver.resolve(
                "person", given, client.people().list(), Person::id, Person::name);
    }
}
