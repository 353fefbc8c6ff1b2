package dev.satchel.client.model;

import java.util.List;

/**
 * What an agent shall do without a chat, and the files for it. The prompt may be empty when there
 * are files.
 *
 * @param fileIds uploads, which belong to the run from then on
 * @param assetIds assets of which the run gets copies
 */
public record RunRequest(String prompt, List<String> fileIds, List<String> assetIds) {
    public RunRequest {
        fileIds = List.copyOf(fileIds);
        assetIds = List.copyOf(assetIds);
    }

    public static RunRequest of(String prompt) {
        return new RunRequest(prompt, List.of(), List.of());
    }

    public RunRequest withUploads(List<String> uploads) {
        return new RunRequest(prompt, uploads, assetIds);
    }

    public RunRequest withAssets(List<String> assets) {
        return new RunRequest(prompt, fileIds, assets);
    }
}
