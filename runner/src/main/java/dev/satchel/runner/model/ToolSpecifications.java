package dev.satchel.runner.model;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonRawSchema;
import dev.satchel.tools.ToolDescription;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Converts tool descriptions for LangChain4j; the schema of each property is passed unchanged. */
final class ToolSpecifications {
    private ToolSpecifications() {}

    static List<ToolSpecification> specifications(List<ToolDescription> tools) {
        return tools.stream().map(ToolSpecifications::specification).toList();
    }

    private static ToolSpecification specification(ToolDescription tool) {
        JsonObjectSchema.Builder schema = JsonObjectSchema.builder();
        JsonNode parameters = tool.parameters();
        parameters
                .path("properties")
                .properties()
                .forEach(
                        property ->
                                schema.addProperty(
                                        property.getKey(),
                                        JsonRawSchema.from(property.getValue().toString())));
        List<String> required =
                parameters.path("required").values().stream().map(JsonNode::asString).toList();
        return ToolSpecification.builder()
                .name(tool.name())
                .description(tool.description())
                .parameters(schema.required(required).build())
                .build();
    }
}
