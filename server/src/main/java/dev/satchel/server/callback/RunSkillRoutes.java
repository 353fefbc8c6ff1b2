package dev.satchel.server.callback;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.http.SatchelException;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.TokenPurpose;
import dev.satchel.server.skill.SkillReference;
import dev.satchel.server.skill.SkillService;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** The archives of the skills of a run, in the versions with which it started. */
public final class RunSkillRoutes {
    private final CallbackService callbacks;
    private final SkillService skills;

    public RunSkillRoutes(CallbackService callbacks, SkillService skills) {
        this.callbacks = callbacks;
        this.skills = skills;
    }

    public void addTo(Router router) {
        router.get(CallbackUrls.PATH + "{sessionId}/skills/{name}", this::archive);
    }

    private void archive(Exchange exchange) throws IOException {
        Run run = callbacks.recognise(exchange, TokenPurpose.RUN);
        String name = exchange.pathParameter("name");
        SkillReference skill =
                run.setup().skills().stream()
                        .filter(used -> used.name().equals(name))
                        .findFirst()
                        .orElseThrow(RunSkillRoutes::noSuchSkill);
        try (InputStream archive = skills.open(run.tenant(), skill)) {
            exchange.header("Cache-Control", "no-store");
            try (OutputStream out = exchange.stream(200, "application/zip")) {
                if (!exchange.isHead()) {
                    archive.transferTo(out);
                }
            }
        }
    }

    private static SatchelException noSuchSkill() {
        return new SatchelException(
                ErrorCode.NOT_FOUND, "the agent of this run names no such skill");
    }
}
