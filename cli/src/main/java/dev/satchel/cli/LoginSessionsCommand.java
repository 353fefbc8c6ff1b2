package dev.satchel.cli;

import dev.satchel.cli.common.IdResolver;
import dev.satchel.cli.common.ServerOptions;
import dev.satchel.cli.output.HumanFormat;
import dev.satchel.cli.output.Table;
import dev.satchel.client.model.LoginSession;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The browsers that are signed in. */
@Command(
        name = "login-sessions",
        mixinStandardHelpOptions = true,
        description = "Lists and ends the browsers that are signed in.")
final class LoginSessionsCommand implements Callable<Integer> {
    private final ServerOptions server;

    LoginSessionsCommand(ServerOptions server) {
        this.server = server;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        return ls();
    }

    @Command(description = "Lists them; for an owner those of the tenant.")
    int ls() throws IOException, InterruptedException {
        return server.perform(
                (client, output) ->
                        output.list(
                                client.loginSessions().list(),
                                new Table<LoginSession>()
                                        .column("ID", LoginSession::id)
                                        .column("PERSON", LoginSession::userId)
                                        .column(
                                                "SINCE",
                                                session ->
                                                        HumanFormat.dateTime(session.createdAt()))
                                        .column("LAST USE", LoginSessionsCommand::lastUse)
                                        .column("BY", LoginSession::openedBy)));
    }

    private static String lastUse(LoginSession session) {
        Instant time = session.lastUsedAt();
        return time == null ? "-" : HumanFormat.dateTime(time);
    }

    @Command(description = "Signs a browser out; its open requests end at once.")
    int end(@Parameters(paramLabel = "SESSION", description = "Its id") String session)
            throws IOException, InterruptedException {
        return server.perform(
                (client, output) -> {
                    LoginSession found =
                            IdResolver.resolve(
                                    "login session",
                                    session,
                                    client.loginSessions().list(),
                                    LoginSession::id,
                                    LoginSession::id);
                    client.loginSessions().end(found.id());
                    output.value(Map.of("id", found.id(), "ended", true), found.id());
                });
    }
}
