package dev.satchel.client.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an agent shall do without a chat, and the files for it. The prompt may be empty when there
 * are files.
 *
 * @param fileIds uploads, which belong to the run from then on
 * @param assetIds assets of which the run gets copies
 * @param model the id of a model of the server; null for that of the agent
 */
public record RunRequest(
        String prompt, List<String> fileIds, List<String> assetIds, @Nullable String model) {
    public RunRequest {
        fileIds = List.copyOf(fileIds);
        assetIds = List.copyOf(assetIds);
    }

    public static RunRequest of(String prompt) {
        return new RunRequest(prompt, List.of(), List.of(), null);
    }

    public RunRequest withUploads(List<String> uploads) {
        return new RunRequest(prompt, uploads, assetIds, model);
    }

    public RunRequest withAssets(List<String> assets) {
        return new RunRequest(prompt, fileIds, assets, model);
    }

    public RunRequest withModel(@Nullable String id) {
        return new RunRequest(prompt, fileIds, assetIds, id);
    }
}
