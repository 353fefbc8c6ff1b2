package dev.satchel.client;

import dev.satchel.client.model.ServerObject;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.ValueDeserializerModifier;
import tools.jackson.databind.deser.std.DelegatingDeserializer;
import tools.jackson.databind.node.ObjectNode;

/** Reads what is {@link ServerObject} as any record, and gives it the JSON it was read from. */
final class ServerObjectReader extends DelegatingDeserializer {
    private ServerObjectReader(ValueDeserializer<?> fields) {
        super(fields);
    }

    static ValueDeserializerModifier modifier() {
        return new ValueDeserializerModifier() {
            @Override
            public ValueDeserializer<?> modifyDeserializer(
                    DeserializationConfig config,
                    BeanDescription.Supplier type,
                    ValueDeserializer<?> fields) {
                return ServerObject.class.isAssignableFrom(type.getBeanClass())
                        ? new ServerObjectReader(fields)
                        : fields;
            }
        };
    }

    @Override
    public Object deserialize(JsonParser parser, DeserializationContext context) {
        JsonNode json = context.readTree(parser);
        ObjectNode fields = context.getNodeFactory().objectNode();
        json.propertyStream().forEach(field -> fields.set(field.getKey(), field.getValue()));
        fields.set("json", json);
        try (JsonParser all = context.treeAsTokens(fields)) {
            all.nextToken();
            return super.deserialize(all, context);
        }
    }

    @Override
    protected ValueDeserializer<?> newDelegatingInstance(ValueDeserializer<?> fields) {
        return new ServerObjectReader(fields);
    }
}
