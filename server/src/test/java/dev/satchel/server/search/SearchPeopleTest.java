package dev.satchel.server.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.access.UserId;
import dev.satchel.server.access.UserRole;
import dev.satchel.server.conversation.ContentBlock;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.conversation.PersistedMessage;
import dev.satchel.server.conversation.Role;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.TestPeople;
import dev.satchel.server.testing.TestPeople.Person;
import java.net.http.HttpRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** Two people of a tenant write the same words, one of them much more. */
@ParameterizedClass
@EnumSource(Dialect.class)
class SearchPeopleTest {
    private static final int MANY = 150;

    private final Dialect dialect;
    private final ConversationStore conversations = new ConversationStore();
    private final SearchMarkingStore marking = new SearchMarkingStore();
    private TestPeople people;
    private Person busy;
    private Person quiet;

    SearchPeopleTest(Dialect dialect) {
        this.dialect = dialect;
    }

    @BeforeEach
    void start() throws Exception {
        people = TestPeople.start(dialect, null);
        busy = people.owner();
        quiet = people.add("default", UserRole.MEMBER);
        write(quiet, 3);
        write(busy, MANY);
        asset(busy, "heron asset.txt");
    }

    @AfterEach
    void stop() {
        people.close();
    }

    @Test
    void eachFindsTheirOwnMessagesAndTheAssetsOfTheTenant() throws Exception {
        assertThat(kinds(quiet, "heron&limit=50"))
                .containsExactlyInAnyOrder("message", "message", "message", "asset");
        assertThat(kinds(quiet, "heron%20waits%20&in=messages")).hasSize(3);
        assertThat(kinds(quiet, "heron&in=files")).containsExactly("asset");
        assertThat(kinds(quiet, "%22heron%20waits%22&in=files")).isEmpty();
        assertThat(kinds(busy, "heron&in=messages&limit=200")).hasSize(MANY);
    }

    @Test
    void theIndexItselfReturnsTheEntriesOfThePersonOnly() throws Exception {
        assertThat(indexed(quiet)).isEqualTo(3);
        assertThat(indexed(busy)).isEqualTo(MANY);
    }

    @Test
    void anIndexOfAnEarlierVersionGetsTheWordsOfPersonsAndFindsTheSameMeanwhile() throws Exception {
        List<String> before = found(quiet, "heron");
        List<String> ofBusy = found(busy, "heron&limit=200");
        removeWordsOfPersons();
        assertThat(indexed(quiet)).isZero();
        assertThat(found(quiet, "heron")).isEqualTo(before);

        people.database().change(tx -> marking.mark(tx, -1, 1));
        assertThat(found(quiet, "heron")).isEqualTo(before);
        people.server().sweep();

        assertThat(people.database().read(marking::open)).isEmpty();
        assertThat(indexed(quiet)).isEqualTo(3);
        assertThat(indexed(busy)).isEqualTo(MANY);
        assertThat(found(quiet, "heron")).isEqualTo(before);
        assertThat(found(busy, "heron&limit=200")).isEqualTo(ofBusy);
    }

    private void write(Person person, int messages) {
        Caller caller = Caller.onBehalfOf(TenantId.DEFAULT, new UserId(person.id()));
        ConversationId chat = ConversationId.random();
        people.database()
                .change(
                        tx -> {
                            conversations.create(tx, caller, chat, null, null, 1);
                            for (int i = 0; i < messages; i++) {
                                conversations.threads().append(tx, chat, message(i));
                            }
                        });
    }

    private static PersistedMessage message(int number) {
        return new PersistedMessage(
                MessageId.random().value(),
                Role.USER,
                List.of(new ContentBlock.Text("a heron waits, number " + number)),
                List.of(),
                null,
                1_000 + number);
    }

    private void asset(Person person, String name) throws Exception {
        HttpRequest.Builder request =
                people.server()
                        .request("/api/assets")
                        .setHeader("Authorization", "Bearer " + person.key())
                        .header("Content-Type", MultipartBody.CONTENT_TYPE);
        people.server().send(request.POST(new MultipartBody().file(name, "x").publisher()).build());
    }

    private JsonNode hits(Person person, String query) throws Exception {
        String body = people.server().sendAs(person.key(), "GET", "/api/search?q=" + query).body();
        return Json.MAPPER.readTree(body).get("hits");
    }

    private List<String> kinds(Person person, String query) throws Exception {
        List<String> kinds = new ArrayList<>();
        hits(person, query).forEach(hit -> kinds.add(hit.get("kind").stringValue()));
        return kinds;
    }

    private List<String> found(Person person, String query) throws Exception {
        List<String> ids = new ArrayList<>();
        hits(person, query).forEach(hit -> ids.add(hit.get("kind") + " " + hit.get("messageId")));
        return ids;
    }

    /** Entries with the word of a person, without a look at the chats. */
    private int indexed(Person person) {
        String hex =
                dialect == Dialect.SQLITE ? "hex(:id)" : "encode(convert_to(:id, 'UTF8'), 'hex')";
        String tenant = hex.replace(":id", "'default'");
        String word = "'§p' || " + tenant + " || 'x' || " + hex;
        String sql =
                switch (dialect) {
                    case SQLITE ->
                            "SELECT COUNT(*) FROM search_index WHERE words MATCH '\"' || %s ||"
                                    + " '\"'";
                    case POSTGRESQL ->
                            "SELECT COUNT(*) FROM search_entry WHERE words @@ CAST('''' || %s ||"
                                    + " '''' AS tsquery)";
                };
        return people.database()
                .read(
                        tx ->
                                tx.query(sql.formatted(word))
                                        .bind("id", person.id())
                                        .mapTo(Integer.class)
                                        .one());
    }

    /** As a version without them has left the index. */
    private void removeWordsOfPersons() {
        List<String> statements =
                switch (dialect) {
                    case SQLITE ->
                            List.of(
                                    "DELETE FROM search_index WHERE rowid IN (SELECT id FROM"
                                            + " search_entry)",
                                    """
                                    INSERT INTO search_index (rowid, words)
                                    SELECT id, '§' || hex(tenant_id) || iif(kind = 'asset', ' §f', ' §m')
                                               || hex(tenant_id) || ' ' || iif(kind = 'asset', 'heron asset txt', text)
                                      FROM search_entry
                                    """);
                    case POSTGRESQL ->
                            List.of(
                                    """
                                    UPDATE search_entry
                                       SET user_id = NULL, words = ts_delete(words,
                                                             (SELECT array_agg(word)
                                                                FROM unnest(tsvector_to_array(words)) AS word
                                                               WHERE left(word, 2) IN ('§p', '§a')))
                                    """);
                };
        people.database()
                .change(
                        tx -> {
                            statements.forEach(sql -> tx.update(sql).execute());
                            tx.update("UPDATE search_marking SET after_id = -1, done = 0")
                                    .execute();
                        });
    }
}
