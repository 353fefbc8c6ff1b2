package dev.satchel.server.branch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.database.Dialect;
import dev.satchel.server.testing.TestServer.Events;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** On both databases. */
@ParameterizedClass
@EnumSource(Dialect.class)
class BranchTest {
    private final Dialect dialect;

    BranchTest(Dialect dialect) {
        this.dialect = dialect;
    }

    @Test
    void anEditedMessageBeginsABranchAndTheModelKnowsOnlyItsPath() throws Exception {
        try (BranchedChat chat = new BranchedChat(dialect)) {
            chat.say("one", "first");
            chat.say("two", "second");
            String two = chat.idOf("two");
            String parent = chat.idOf("first");

            List<String> told =
                    chat.turn(
                            Map.of("message", "two, better", "parentMessageId", parent),
                            "second, better");

            assertThat(told).containsExactly("one", "first");
            assertThat(chat.texts())
                    .containsExactly("one", "first", "two, better", "second, better");
            assertThat(chat.read().get("messageCount").longValue()).isEqualTo(4);
            JsonNode edited = chat.messages("").get(2);
            assertThat(edited.get("parentId").stringValue()).isEqualTo(parent);
            assertThat(edited.get("siblings").values())
                    .extracting(JsonNode::stringValue)
                    .containsExactly(two, edited.get("id").stringValue());
            assertThat(chat.messages("").getFirst().has("parentId")).isFalse();
            assertThat(chat.messages("").getFirst().has("siblings")).isFalse();

            assertThat(chat.switchTo(two)).isEqualTo(200);
            assertThat(chat.texts()).containsExactly("one", "first", "two", "second");
            assertThat(chat.turn(Map.of("message", "three"), "third"))
                    .containsExactly("one", "first", "two", "second");
        }
    }

    @Test
    void aMessageIsAnsweredAgainAndNothingElseIsAdded() throws Exception {
        try (BranchedChat chat = new BranchedChat(dialect)) {
            chat.say("one", "first");
            chat.say("two", "a bad answer");
            String two = chat.idOf("two");
            String bad = chat.idOf("a bad answer");

            assertThat(chat.retry(two, "a good answer")).containsExactly("one", "first");

            assertThat(chat.texts()).containsExactly("one", "first", "two", "a good answer");
            assertThat(chat.turn(Map.of("message", "three"), "third"))
                    .containsExactly("one", "first", "two", "a good answer");
            JsonNode good = chat.messages("").get(3);
            assertThat(good.get("siblings").get(0).stringValue()).isEqualTo(bad);

            assertThat(chat.switchTo(bad)).isEqualTo(200);
            assertThat(chat.texts()).endsWith("two", "a bad answer");
            assertThat(chat.switchTo(good.get("id").stringValue())).isEqualTo(200);
            assertThat(chat.texts()).endsWith("a good answer", "three", "third");
        }
    }

    @Test
    void aNewFirstMessageKnowsNothingOfTheOthers() throws Exception {
        try (BranchedChat chat = new BranchedChat(dialect)) {
            chat.say("one", "first");
            String one = chat.idOf("one");
            chat.sayAfter(null, "instead", "of that");

            assertThat(chat.texts()).containsExactly("instead", "of that");
            assertThat(chat.messages("").getFirst().get("siblings").get(0).stringValue())
                    .isEqualTo(one);
            assertThat(chat.messages("").getFirst().has("parentId")).isFalse();
            assertThat(chat.texts("?head=" + one)).containsExactly("one", "first");
            assertThat(chat.texts("?exact=true&head=" + one)).containsExactly("one");
            assertThat(chat.texts()).containsExactly("instead", "of that");
        }
    }

    @Test
    void aPathThatEndsInTheMiddleIsContinuedThere() throws Exception {
        try (BranchedChat chat = new BranchedChat(dialect)) {
            chat.say("one", "first");
            chat.say("two", "second");
            String first = chat.idOf("first");
            assertThat(chat.goBackTo(first)).isEqualTo(200);
            assertThat(chat.texts()).containsExactly("one", "first");
            assertThat(chat.read().get("messageCount").longValue()).isEqualTo(2);

            chat.say("another two", "another second");

            assertThat(chat.texts())
                    .containsExactly("one", "first", "another two", "another second");
            assertThat(chat.messages("").get(2).get("siblings").size()).isEqualTo(2);
        }
    }

    @Test
    void aSwitchReturnsToTheTipThatWasActiveLast() throws Exception {
        try (BranchedChat chat = new BranchedChat(dialect)) {
            chat.say("one", "first");
            String one = chat.idOf("one");
            String first = chat.idOf("first");
            chat.say("two", "older");
            String older = chat.idOf("older");
            chat.retry(chat.idOf("two"), "newer");
            assertThat(chat.switchTo(older)).isEqualTo(200); // the last that is active below "one"
            chat.sayAfter(null, "other", "thread");

            assertThat(chat.switchTo(one)).isEqualTo(200);
            assertThat(chat.texts()).containsExactly("one", "first", "two", "older");
            assertThat(chat.switchTo(first)).isEqualTo(200);
            assertThat(chat.texts()).containsExactly("one", "first", "two", "older");
        }
    }

    @Test
    void pagesOfAPathFitTogether() throws Exception {
        try (BranchedChat chat = new BranchedChat(dialect)) {
            chat.say("one", "first");
            chat.say("two", "second");
            chat.sayAfter(chat.idOf("first"), "two'", "second'");
            chat.say("three'", "third'");
            chat.retry(chat.idOf("three'"), "third''");
            List<String> pages = new ArrayList<>();
            String cursor = "";
            do {
                JsonNode page = chat.server.getJson(chat.path() + "?limit=1" + cursor);
                pages.addFirst(BranchedChat.text(page.get("messages").get(0)));
                JsonNode next = page.get("nextCursor");
                cursor = next.isNull() ? "" : "&cursor=" + next.stringValue();
            } while (!cursor.isEmpty());

            assertThat(pages)
                    .containsExactly("one", "first", "two'", "second'", "three'", "third''");
            assertThat(chat.texts()).isEqualTo(pages);
        }
    }

    @Test
    void branchesAreListed() throws Exception {
        try (BranchedChat chat = new BranchedChat(dialect)) {
            chat.say("one", "first");
            chat.say("two", "second");
            String first = chat.idOf("first");
            String second = chat.idOf("second");
            chat.sayAfter(first, "two'", "second'");
            JsonNode page = chat.server.getJson(chat.path() + "/branches?limit=1");
            JsonNode next =
                    chat.server.getJson(
                            chat.path()
                                    + "/branches?cursor="
                                    + page.get("nextCursor").stringValue());

            JsonNode root = page.get("branches").get(0);
            assertThat(root.get("text").stringValue()).isEqualTo("one");
            assertThat(root.get("tipId").stringValue()).isEqualTo(second);
            assertThat(root.get("parentId").isNull()).isTrue();
            assertThat(root.get("messages").longValue()).isEqualTo(4);
            assertThat(root.get("active").booleanValue()).isTrue();
            JsonNode branch = next.get("branches").get(0);
            assertThat(branch.get("text").stringValue()).isEqualTo("two'");
            assertThat(branch.get("parentId").stringValue()).isEqualTo(first);
            assertThat(next.get("headId")).isEqualTo(branch.get("tipId"));
            assertThat(next.get("nextCursor").isNull()).isTrue();
        }
    }

    @Test
    void aBusyChatRefusesBranches() throws Exception {
        try (BranchedChat chat = new BranchedChat(dialect)) {
            chat.say("one", "first");
            String one = chat.idOf("one");
            try (Events events = chat.server.turn(Map.of("message", "two", "chatId", chat.id))) {
                var run = chat.sandbox.next();
                assertThat(chat.switchTo(one)).isEqualTo(409);
                assertThat(
                                chat.statusOf(
                                        Map.of(
                                                "message", "x",
                                                "parentMessageId", one,
                                                "whenBusy", "queue")))
                        .isEqualTo(409);
                assertThat(chat.statusOf(Map.of("userMessageId", one, "regenerate", true)))
                        .isEqualTo(409);
                run.answers("second");
                events.rest();
            }
            assertThat(chat.texts()).containsExactly("one", "first", "two", "second");
        }
    }

    @Test
    void whatCannotBeIsRefused() throws Exception {
        try (BranchedChat chat = new BranchedChat(dialect)) {
            chat.say("one", "first");
            String one = chat.idOf("one");
            String first = chat.idOf("first");
            assertThat(chat.switchTo("unknown")).isEqualTo(404);
            assertThat(chat.switchTo("not an id!")).isEqualTo(404);
            assertThat(chat.statusOf(Map.of("message", "x", "parentMessageId", "unknown")))
                    .isEqualTo(404);
            assertThat(chat.statusOf(Map.of("message", "x", "parentMessageId", 7))).isEqualTo(400);
            assertThat(chat.statusOf(Map.of("userMessageId", "unknown", "regenerate", true)))
                    .isEqualTo(404);
            assertThat(chat.statusOf(Map.of("regenerate", true))).isEqualTo(400);
            assertThat(
                            chat.statusOf(
                                    Map.of(
                                            "userMessageId",
                                            one,
                                            "message",
                                            "x",
                                            "regenerate",
                                            true)))
                    .isEqualTo(400);
            assertThat(chat.statusOf(Map.of("userMessageId", first, "regenerate", true)))
                    .isEqualTo(400);
            assertThat(chat.server.get(chat.path() + "?head=unknown").statusCode()).isEqualTo(404);
            assertThat(chat.server.get(chat.path() + "?head=" + one + "&exact=x").statusCode())
                    .isEqualTo(400);
            assertThat(chat.texts()).containsExactly("one", "first");
        }
    }

    @Test
    void aStoppedRetryLeavesTheFirstAnswerOnItsBranch() throws Exception {
        try (BranchedChat chat = new BranchedChat(dialect)) {
            chat.say("one", "first");
            String one = chat.idOf("one");
            String first = chat.idOf("first");
            Map<String, Object> again =
                    Map.of("userMessageId", one, "regenerate", true, "chatId", chat.id);
            try (Events events = chat.server.turn(again)) {
                var run = chat.sandbox.next();
                chat.server.post(chat.path() + "/cancel", Map.of());
                assertThat(run.wasHungUpOn()).isTrue();
                events.rest();
            }
            JsonNode stopped = chat.messages("").getLast();
            assertThat(stopped.get("parentId").stringValue()).isEqualTo(one);
            assertThat(stopped.get("siblings").get(0).stringValue()).isEqualTo(first);
            assertThat(chat.switchTo(first)).isEqualTo(200);
            assertThat(chat.turn(Map.of("message", "two"), "second"))
                    .containsExactly("one", "first");
        }
    }

    @Test
    void queuedMessagesFollowTheActivePath() throws Exception {
        try (BranchedChat chat = new BranchedChat(dialect)) {
            chat.say("one", "first");
            String one = chat.idOf("one");
            Map<String, Object> again =
                    Map.of("userMessageId", one, "regenerate", true, "chatId", chat.id);
            try (Events events = chat.server.turn(again)) {
                var run = chat.sandbox.next();
                assertThat(chat.statusOf(Map.of("message", "queued", "whenBusy", "queue")))
                        .isEqualTo(202);
                run.answers("first, again");
                events.rest();
            }
            var queued = chat.sandbox.next();
            assertThat(queued.dispatch().conversation())
                    .extracting("content")
                    .containsExactly("one", "first, again");
            queued.answers("done");
        }
    }
}
