package dev.satchel.client.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.client.ClientJson;
import org.junit.jupiter.api.Test;

class ServerObjectTest {
    @Test
    void whatANewerServerSaysIsKept() {
        String chat =
                """
                {"mood":"calm","id":"c1","workspaceId":"w","title":null,"messageCount":2,\
                "createdAt":1700000000123,"updatedAt":1700000000456,"json":{"more":[1,2.5]}}\
                """;

        ChatPage page =
                ClientJson.MAPPER.readValue(
                        "{\"chats\":[" + chat + "],\"nextCursor\":null}", ChatPage.class);

        Chat read = page.chats().getFirst();
        assertThat(read.id()).isEqualTo("c1");
        assertThat(read.updatedAt().toEpochMilli()).isEqualTo(1_700_000_000_456L);
        assertThat(read.json().at("/mood").stringValue()).isEqualTo("calm");
        assertThat(ClientJson.MAPPER.writeValueAsString(read)).isEqualTo(chat.strip());
    }

    @Test
    void whatHoldsOthersKeepsAllOfThem() {
        String storage =
                "{\"bytes\":1,\"files\":{\"count\":1,\"bytes\":1,\"oldest\":3},\"chats\":[{\"id\":\"c\",\"new\":1}]}";

        Storage read = ClientJson.MAPPER.readValue(storage, Storage.class);

        assertThat(read.files().count()).isEqualTo(1);
        assertThat(ClientJson.MAPPER.writeValueAsString(read)).isEqualTo(storage);
    }
}
