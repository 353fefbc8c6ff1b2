package dev.satchel.runner.run;

import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.NewFile;
import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspaceEntry;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.filesystem.WorkspaceWalk;
import dev.satchel.runner.sandbox.Command;
import dev.satchel.runner.sandbox.CommandResult;
import dev.satchel.runner.sandbox.Sandbox;
import dev.satchel.runner.sandbox.SandboxProcess;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;

/**
 * Whether a run may have changed files of its workspace: it ran a command, or the runner wrote a
 * file. Everything that a run does to its workspace goes through the two wrappers.
 */
final class WorkspaceChanges {
    private volatile boolean possible;

    boolean isPossible() {
        return possible;
    }

    Sandbox recorded(Sandbox sandbox) {
        return new RecordedSandbox(sandbox);
    }

    SafeDirectory recorded(SafeDirectory directory) {
        return new RecordedDirectory(directory);
    }

    private final class RecordedSandbox implements Sandbox {
        private final Sandbox sandbox;

        RecordedSandbox(Sandbox sandbox) {
            this.sandbox = sandbox;
        }

        @Override
        public CommandResult run(Command command) throws IOException, InterruptedException {
            possible = true;
            return sandbox.run(command);
        }

        @Override
        public SandboxProcess start(List<String> arguments) throws IOException {
            possible = true;
            return sandbox.start(arguments);
        }

        @Override
        public void close() {
            sandbox.close();
        }
    }

    private final class RecordedDirectory implements SafeDirectory {
        private final SafeDirectory directory;

        RecordedDirectory(SafeDirectory directory) {
            this.directory = directory;
        }

        @Override
        public OpenFile open(WorkspacePath path) throws IOException {
            return directory.open(path);
        }

        @Override
        public FileOpener opener(List<WorkspacePath> files) throws IOException {
            return directory.opener(files);
        }

        @Override
        public FileStat stat(WorkspacePath path) throws IOException {
            return directory.stat(path);
        }

        @Override
        public List<WorkspaceEntry> list(WorkspacePath path) throws IOException {
            return directory.list(path);
        }

        @Override
        public WorkspaceWalk walk(WorkspacePath start) {
            return directory.walk(start);
        }

        @Override
        public void visit(Predicate<WorkspaceEntry> wanted, Visitor visitor) throws IOException {
            directory.visit(wanted, visitor);
        }

        @Override
        public String readLink(WorkspacePath path) throws IOException {
            return directory.readLink(path);
        }

        @Override
        public NewFile create(WorkspacePath path) throws IOException {
            possible = true;
            return directory.create(path);
        }

        @Override
        public void createDirectories(WorkspacePath path) throws IOException {
            possible = true;
            directory.createDirectories(path);
        }

        @Override
        public void link(WorkspacePath path, String target) throws IOException {
            possible = true;
            directory.link(path, target);
        }

        @Override
        public void setAttributes(WorkspacePath path, int mode, Instant modified)
                throws IOException {
            possible = true;
            directory.setAttributes(path, mode, modified);
        }

        @Override
        public void rename(WorkspacePath from, WorkspacePath to) throws IOException {
            possible = true;
            directory.rename(from, to);
        }

        @Override
        public void delete(WorkspacePath path) throws IOException {
            possible = true;
            directory.delete(path);
        }

        @Override
        public void close() {
            directory.close();
        }
    }
}
