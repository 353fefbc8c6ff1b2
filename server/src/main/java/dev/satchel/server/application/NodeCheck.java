package dev.satchel.server.application;

import dev.satchel.server.database.Database;
import dev.satchel.server.database.Databases;
import dev.satchel.server.doctor.Finding;
import dev.satchel.server.node.NodeId;
import dev.satchel.server.node.Nodes;
import dev.satchel.server.node.Peer;
import dev.satchel.server.run.SigningKeyStore;
import dev.satchel.server.workspace.remote.NodeClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Calls every server of a PostgreSQL database at the address that it has announced. */
public final class NodeCheck {
    private static final String NAME = "node";

    private NodeCheck() {}

    /** No finding for a database that no server has used. */
    public static List<Finding> check(URI url) {
        try (Database database = Databases.withoutMigration(url)) {
            Optional<String> secret =
                    new Stores(database).keys.find(SigningKeyStore.BETWEEN_SERVERS);
            return secret.isEmpty() ? List.of() : check(database, secret.get());
        } catch (RuntimeException e) {
            return List.of(); // the schema is created at the first start
        }
    }

    private static List<Finding> check(Database database, String secret) {
        InstantSource clock =
                () ->
                        database.read(database::clock)
                                .map(Instant::ofEpochMilli)
                                .orElseGet(Instant::now);
        List<Finding> findings = new ArrayList<>();
        try (HttpClient http = NodeClient.newHttpClient()) {
            Nodes nodes = new Nodes(database, NodeId.random(), clock, clock);
            NodeClient client = new NodeClient(nodes, secret, http);
            nodes.others().forEach(peer -> findings.add(check(client, peer)));
        }
        return findings;
    }

    private static Finding check(NodeClient client, Peer peer) {
        String place = peer.id().value() + " at " + peer.address();
        try {
            client.requireAnswer(peer);
            return Finding.ok(NAME, place);
        } catch (IOException e) {
            return Finding.problem(
                    NAME, place + ": " + NodeClient.reason(e) + "; set its SATCHEL_NODE_URL");
        }
    }
}
