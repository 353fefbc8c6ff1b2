import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * Converts the OpenAPI document from YAML to JSON during the build. Arguments: input file, output
 * file.
 */
void main(String[] args) throws IOException {
    var yaml = YAMLMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();
    Path output = Path.of(args[1]);
    Files.createDirectories(output.getParent());
    new JsonMapper().writeValue(output, yaml.readTree(Path.of(args[0])));
}
