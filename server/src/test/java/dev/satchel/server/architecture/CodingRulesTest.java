package dev.satchel.server.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaConstructorCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CodingRulesTest {
    private static final int MAX_PARAMETERS = 6;

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
    void noFeatureCreatesTheStoreOfAnother() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "dev.satchel.server.application..", "dev.satchel.server.command..")
                .should()
                .callConstructorWhere(
                        DescribedPredicate.describe(
                                "it is that of a store in another package",
                                CodingRulesTest::isStoreOfOtherPackage))
                .because("the application creates every shared object once")
                .check(ProductionClasses.ALL);
    }

    /** Those of the audit log and the search have no state, and every feature writes to them. */
    private static boolean isStoreOfOtherPackage(JavaConstructorCall call) {
        JavaClass store = call.getTargetOwner();
        return store.getSimpleName().endsWith("Store")
                && !Set.of("AuditStore", "SearchIndexStore").contains(store.getSimpleName())
                && !store.getPackageName().equals(call.getOriginOwner().getPackageName());
    }

    @Test
    void constructorsHaveAtMostSixParameters() {
        List<String> tooMany =
                ProductionClasses.ALL.stream()
                        .filter(type -> !type.isAnonymousClass() && !type.isLocalClass())
                        .flatMap(type -> type.getConstructors().stream())
                        .filter(
                                constructor ->
                                        constructor.getRawParameterTypes().size() > MAX_PARAMETERS)
                        .filter(constructor -> !constructor.getOwner().isRecord())
                        .map(JavaConstructor::getFullName)
                        .toList();

        assertThat(tooMany).isEmpty();
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

    /** The scaler of images is a program of its own. */
    @Test
    void onlyCommandsPrint() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.satchel.server.command..")
                .and()
                .doNotHaveFullyQualifiedName("dev.satchel.runner.image.ImageScaler")
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .check(ProductionClasses.ALL);
    }
}
