package dev.satchel.server.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which modules may use which. SourceTest has the rules of client and CLI. */
class ModuleRulesTest {
    private static final String RUNNER = "dev.satchel.runner..";

    @ParameterizedTest
    @CsvSource({
        "protocol, filesystem documents tools http runner server",
        "filesystem, protocol documents tools http runner server",
        "documents, filesystem tools http runner server",
        "http, protocol filesystem documents tools runner server",
        "tools, http runner server",
        "runner, server"
    })
    void moduleDoesNotUse(String module, String forbidden) {
        for (String other : List.of(forbidden.split(" ", -1))) {
            noClasses()
                    .that()
                    .resideInAPackage("dev.satchel." + module + "..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("dev.satchel." + other + "..")
                    .check(ProductionClasses.ALL);
        }
    }

    @Test
    void fewPackagesOfTheServerUseTheRunner() {
        noClasses()
                .that()
                .resideInAPackage("dev.satchel.server..")
                .and()
                .resideOutsideOfPackages(
                        "dev.satchel.server.application..",
                        "dev.satchel.server.doctor..",
                        "dev.satchel.server.sandbox..")
                .and()
                .doNotHaveSimpleName("RunnerCommand")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(RUNNER)
                .because("what both need is in a module below the runner")
                .check(ProductionClasses.ALL);
    }

    @Test
    void onlyHttpUsesVertx() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.satchel.http..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.vertx..", "io.netty..")
                .check(ProductionClasses.ALL);
    }
}
