package dev.satchel.server.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaModifier;
import org.junit.jupiter.api.Test;

class CodingRulesTest {
    @Test
    void onlyStoresContainSql() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.satchel.server.database..")
                .and()
                .haveSimpleNameNotEndingWith("Store")
                .and(new NestedInStorePredicate().negate())
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.jdbi..", "java.sql..", "javax.sql..", "com.zaxxer..")
                .because("the SQL of a feature is in its store")
                .check(ProductionClasses.ALL);
    }

    @Test
    void staticFieldsAreFinal() {
        fields().that()
                .areStatic()
                .and()
                .doNotHaveModifier(JavaModifier.SYNTHETIC)
                .should()
                .beFinal()
                .check(ProductionClasses.ALL);
    }

    @Test
    void onlyCommandsPrint() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.satchel.server.command..")
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .check(ProductionClasses.ALL);
    }
}
