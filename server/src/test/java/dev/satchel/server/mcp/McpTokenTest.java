package dev.satchel.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.access.AccessStore;
import dev.satchel.server.access.ApiKeys;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.CallerCredential;
import dev.satchel.server.access.MovableClock;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.access.UserId;
import dev.satchel.server.audit.AuditEvent;
import dev.satchel.server.audit.AuditStore;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.TestDatabases;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class McpTokenTest {
    private final MovableClock clock = new MovableClock();
    private final ConversationId conversation = ConversationId.random();

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aTokenIsBoundToItsConversationAndStoredAsAHash(Dialect dialect) {
        try (Database database = open(dialect)) {
            McpTokens tokens = new McpTokens(database, clock);
            String token =
                    tokens.issue(
                                    new McpSession(
                                            TenantId.DEFAULT,
                                            UserId.FIRST_OWNER,
                                            conversation,
                                            false,
                                            CallerCredential.SERVER))
                            .token()
                            .value();

            assertThat(token).startsWith("pmcp_").hasSizeGreaterThan(40);
            assertThat(tokens.find(token))
                    .hasValue(
                            new McpSession(
                                    TenantId.DEFAULT,
                                    UserId.FIRST_OWNER,
                                    conversation,
                                    false,
                                    CallerCredential.SERVER));
            assertThat(tokens.find(token + "x")).isEmpty();
            assertThat(tokens.find(token.substring(5))).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void issuingATokenEndsTheOneBefore(Dialect dialect) {
        try (Database database = open(dialect)) {
            McpTokens tokens = new McpTokens(database, clock);
            String first =
                    tokens.issue(
                                    new McpSession(
                                            TenantId.DEFAULT,
                                            UserId.FIRST_OWNER,
                                            conversation,
                                            false,
                                            CallerCredential.SERVER))
                            .token()
                            .value();
            String second =
                    tokens.issue(
                                    new McpSession(
                                            TenantId.DEFAULT,
                                            UserId.FIRST_OWNER,
                                            conversation,
                                            false,
                                            CallerCredential.SERVER))
                            .token()
                            .value();

            assertThat(tokens.find(first)).isEmpty();
            assertThat(tokens.find(second)).isPresent();
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void useExtendsATokenAndTwoHoursWithoutUseEndIt(Dialect dialect) {
        try (Database database = open(dialect)) {
            McpTokens tokens = new McpTokens(database, clock);
            String token =
                    tokens.issue(
                                    new McpSession(
                                            TenantId.DEFAULT,
                                            UserId.FIRST_OWNER,
                                            conversation,
                                            false,
                                            CallerCredential.SERVER))
                            .token()
                            .value();

            clock.advance(Duration.ofHours(2));
            assertThat(tokens.find(token)).isPresent();
            clock.advance(Duration.ofHours(2));
            assertThat(tokens.find(token)).isPresent();
            clock.advance(Duration.ofHours(2).plusMillis(1));
            assertThat(tokens.find(token)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void revokingEndsItAndEveryEventIsAudited(Dialect dialect) {
        try (Database database = open(dialect)) {
            McpTokens tokens = new McpTokens(database, clock);
            tokens.issue(
                    new McpSession(
                            TenantId.DEFAULT,
                            UserId.FIRST_OWNER,
                            conversation,
                            false,
                            CallerCredential.SERVER));
            clock.advance(Duration.ofMillis(1));
            String token =
                    tokens.issue(
                                    new McpSession(
                                            TenantId.DEFAULT,
                                            UserId.FIRST_OWNER,
                                            conversation,
                                            false,
                                            CallerCredential.SERVER))
                            .token()
                            .value();
            clock.advance(Duration.ofMillis(1));

            assertThat(tokens.revoke(Caller.owner(TenantId.DEFAULT), conversation)).isTrue();

            assertThat(tokens.find(token)).isEmpty();
            assertThat(tokens.revoke(Caller.owner(TenantId.DEFAULT), conversation)).isFalse();
            List<AuditEvent> events =
                    database.read(tx -> new AuditStore().ofSession(tx, conversation.value()));
            assertThat(events)
                    .extracting(AuditEvent::detail)
                    .extracting(detail -> detail.get("event"))
                    .containsExactly("issued", "rotated", "revoked", "refused");
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void anEndedTokenIsRefusedAndTheReasonIsAudited(Dialect dialect) {
        try (Database database = open(dialect)) {
            McpTokens tokens = new McpTokens(database, clock);
            String rotated =
                    tokens.issue(
                                    new McpSession(
                                            TenantId.DEFAULT,
                                            UserId.FIRST_OWNER,
                                            conversation,
                                            false,
                                            CallerCredential.SERVER))
                            .token()
                            .value();
            String revoked =
                    tokens.issue(
                                    new McpSession(
                                            TenantId.DEFAULT,
                                            UserId.FIRST_OWNER,
                                            conversation,
                                            false,
                                            CallerCredential.SERVER))
                            .token()
                            .value();
            tokens.revoke(Caller.owner(TenantId.DEFAULT), conversation);
            String expired =
                    tokens.issue(
                                    new McpSession(
                                            TenantId.DEFAULT,
                                            UserId.FIRST_OWNER,
                                            conversation,
                                            false,
                                            CallerCredential.SERVER))
                            .token()
                            .value();
            clock.advance(Duration.ofHours(3));

            for (String token : List.of(rotated, revoked, expired)) {
                clock.advance(Duration.ofMillis(1));
                assertThat(tokens.find(token)).isEmpty();
            }

            assertThat(refusals(database)).containsExactly("rotated", "revoked", "expired");
            tokens.sweep();
            assertThat(tokens.find(rotated)).isEmpty();
            assertThat(refusals(database)).hasSize(3); // without a session
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void guessesAreAuditedUpToALimit(Dialect dialect) {
        try (Database database = open(dialect)) {
            McpTokens tokens = new McpTokens(database, clock);
            for (int i = 0; i < 100; i++) {
                assertThat(tokens.find("pmcp_guess" + i)).isEmpty();
            }

            assertThat(rows(database, "unknown")).isEqualTo(60);
            clock.advance(Duration.ofMinutes(1));
            assertThat(tokens.find("pmcp_guess")).isEmpty();
            assertThat(rows(database, "unknown")).isEqualTo(61);
            assertThat(rows(database, "unwritten\":\"40")).isEqualTo(1);
        }
    }

    private List<String> refusals(Database database) {
        return database.read(tx -> new AuditStore().ofSession(tx, conversation.value())).stream()
                .filter(event -> event.outcome() == AuditEvent.Outcome.DENIED)
                .map(event -> event.detail().getOrDefault("reason", ""))
                .toList();
    }

    private static long rows(Database database, String reason) {
        return database.read(
                tx ->
                        tx.query("SELECT COUNT(*) FROM audit WHERE detail LIKE :reason")
                                .bind("reason", "%\"" + reason + "\"%")
                                .mapTo(Long.class)
                                .one());
    }

    private Database open(Dialect dialect) {
        Database database = TestDatabases.fresh(dialect);
        new ApiKeys(database, new AccessStore(), clock)
                .create(TenantId.DEFAULT, "makes the tenant");
        database.change(
                tx ->
                        new ConversationStore()
                                .create(
                                        tx,
                                        Caller.owner(TenantId.DEFAULT),
                                        conversation,
                                        null,
                                        null,
                                        clock.millis()));
        return database;
    }
}
