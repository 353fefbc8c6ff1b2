package dev.satchel.tools.grep;

import dev.satchel.tools.InvalidArgumentException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The file extensions of each value of the argument {@code type}. */
final class FileExtensions {
    private static final Map<String, Set<String>> KNOWN =
            new TreeMap<>(
                    Map.ofEntries(
                            Map.entry("c", Set.of("c", "h")),
                            Map.entry("cpp", Set.of("cc", "cpp", "cxx", "hh", "hpp", "hxx", "h")),
                            Map.entry("css", Set.of("css", "scss")),
                            Map.entry("csv", Set.of("csv", "tsv")),
                            Map.entry(
                                    "docx",
                                    Set.of("docm", "docx", "dotm", "dotx", "odt", "ott", "rtf")),
                            Map.entry("eml", Set.of("eml", "mht", "mhtml")),
                            Map.entry("epub", Set.of("epub")),
                            Map.entry("go", Set.of("go")),
                            Map.entry("html", Set.of("htm", "html")),
                            Map.entry("ipynb", Set.of("ipynb")),
                            Map.entry("java", Set.of("java")),
                            Map.entry("js", Set.of("cjs", "js", "jsx", "mjs")),
                            Map.entry("json", Set.of("json", "jsonl", "ndjson")),
                            Map.entry("log", Set.of("log")),
                            Map.entry("md", Set.of("markdown", "md")),
                            Map.entry("pdf", Set.of("pdf")),
                            Map.entry("php", Set.of("php")),
                            Map.entry(
                                    "pptx",
                                    Set.of(
                                            "odp", "otp", "potm", "potx", "ppsm", "ppsx", "pptm",
                                            "pptx")),
                            Map.entry("py", Set.of("py", "pyi")),
                            Map.entry("rb", Set.of("rb")),
                            Map.entry("rust", Set.of("rs")),
                            Map.entry("sh", Set.of("bash", "sh", "zsh")),
                            Map.entry("sql", Set.of("sql")),
                            Map.entry("toml", Set.of("toml")),
                            Map.entry("ts", Set.of("cts", "mts", "ts", "tsx")),
                            Map.entry("txt", Set.of("txt")),
                            Map.entry("xlsx", Set.of("ods", "ots", "xlsm", "xlsx", "xltm", "xltx")),
                            Map.entry("xml", Set.of("svg", "xml", "xsd", "xsl")),
                            Map.entry("yaml", Set.of("yaml", "yml")),
                            Map.entry("zip", Set.of("gz", "tar", "tgz", "zip"))));

    private FileExtensions() {}

    static Set<String> of(String type) throws InvalidArgumentException {
        Set<String> extensions = KNOWN.get(type);
        if (extensions == null) {
            throw new InvalidArgumentException(
                    "type must be one of " + String.join(", ", KNOWN.keySet()));
        }
        return extensions;
    }
}
