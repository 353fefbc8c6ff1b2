package dev.satchel.client;

import dev.satchel.client.model.Skill;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Folders of instructions and scripts that agents use. */
public final class Skills {
    private static final String SKILLS = "/api/skills";
    private static final int PAGE = 100;

    private final HttpCalls calls;
    private final FileTransfers transfers;

    Skills(HttpCalls calls, FileTransfers transfers) {
        this.calls = calls;
        this.transfers = transfers;
    }

    /** The newest version of each, by name. */
    public List<Skill> list() throws IOException, InterruptedException {
        return calls.get(SKILLS, All.class).skills();
    }

    /** The newest version, with its files and instructions in the JSON. */
    public Skill get(String name) throws IOException, InterruptedException {
        return calls.get(path(name), Skill.class);
    }

    public Skill get(String name, long version) throws IOException, InterruptedException {
        return calls.get(path(name) + "?version=" + version, Skill.class);
    }

    /** The newest first, at most 100. */
    public List<Skill> versions(String name) throws IOException, InterruptedException {
        return calls.get(path(name) + "/versions?limit=" + PAGE, Versions.class).versions();
    }

    /** Stores the next version of the skill in an archive: zip, tar or tar.gz. */
    public Skill put(Path archive, TransferProgressListener progress)
            throws IOException, InterruptedException {
        return transfers.upload(SKILLS, List.of(archive), progress, Skill.class);
    }

    /** The files of the newest version as a zip. */
    public DownloadStream open(String name) throws IOException, InterruptedException {
        return transfers.download(path(name) + "/archive");
    }

    /** Refused while an agent names it. */
    public void delete(String name) throws IOException, InterruptedException {
        calls.delete(path(name));
    }

    private record All(List<Skill> skills) {}

    private record Versions(List<Skill> versions, @Nullable String nextCursor) {}

    private static String path(String name) {
        return SKILLS + "/" + HttpCalls.encoded(name);
    }
}
