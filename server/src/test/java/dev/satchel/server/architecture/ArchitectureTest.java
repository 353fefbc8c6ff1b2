package dev.satchel.server.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

/**
 * The floors of the house, each looking only down: application; features; access and operations;
 * database and objectstore; below them all, in modules of their own, http and protocol.
 */
class ArchitectureTest {
    private static final String SERVER = "dev.satchel.server..";

    private static final JavaClasses HOUSE =
            new ClassFileImporter()
                    .withImportOption(location -> !location.contains("/test-classes/"))
                    .importPackages("dev.satchel");

    @Test
    void noPackagesDependOnEachOtherInACircle() {
        slices().matching("dev.satchel.server.(*)..").should().beFreeOfCycles().check(HOUSE);
        slices().matching("dev.satchel.runner.(*)..").should().beFreeOfCycles().check(HOUSE);
        slices().matching("dev.satchel.(*)..").should().beFreeOfCycles().check(HOUSE);
    }

    @Test
    void onlyStoresSpeakSql() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.satchel.server.database..")
                .and()
                .haveSimpleNameNotEndingWith("Store")
                .and(new NestedInStore().negate())
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.jdbi..", "java.sql..", "javax.sql..", "com.zaxxer..")
                .because("a feature's SQL stands in its one Store")
                .check(HOUSE);
    }

    @Test
    void whatTheServerStandsOnNeverSeesIt() {
        noClasses()
                .that()
                .resideOutsideOfPackage(SERVER)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(SERVER)
                .check(HOUSE);
        noClasses()
                .that()
                .resideInAnyPackage("dev.satchel.http..", "dev.satchel.protocol..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.satchel.runner..")
                .check(HOUSE);
    }

    @Test
    void nobodySeesVertxButTheWireFloor() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.satchel.http..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.vertx..", "io.netty..")
                .check(HOUSE);
    }

    @Test
    void theGroundFloorLooksAtNothingAbove() {
        classes()
                .that()
                .resideInAnyPackage(
                        "dev.satchel.server.database..", "dev.satchel.server.objectstore..")
                .should()
                .onlyDependOnClassesThat(
                        new OfServerOnly(
                                "dev.satchel.server.database", "dev.satchel.server.objectstore"))
                .check(HOUSE);
    }

    @Test
    void accessAndOperationsStandOnTheGroundFloor() {
        classes()
                .that()
                .resideInAnyPackage(
                        "dev.satchel.server.access..", "dev.satchel.server.operations..")
                .should()
                .onlyDependOnClassesThat(
                        new OfServerOnly(
                                "dev.satchel.server.database",
                                "dev.satchel.server.objectstore",
                                "dev.satchel.server.access",
                                "dev.satchel.server.operations"))
                .check(HOUSE);
    }

    @Test
    void nobodyKnowsTheApplication() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.satchel.server.application..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.satchel.server.application..")
                .because("a class receives the values it needs, not the whole configuration")
                .check(HOUSE);
    }

    @Test
    void nothingStaticEverChanges() {
        fields().that()
                .areStatic()
                .and()
                .doNotHaveModifier(com.tngtech.archunit.core.domain.JavaModifier.SYNTHETIC)
                .should()
                .beFinal()
                .check(HOUSE);
    }

    @Test
    void onlyCommandsPrint() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.satchel.server.application..")
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .check(HOUSE);
    }
}
