package dev.satchel.server.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import dev.satchel.server.dialect.EventEncoder;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The size of packages, and which may use which. */
class PackageRulesTest {
    private static final int MAX_TYPES = 25;
    private static final String SERVER = "dev.satchel.server.";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dev.satchel.(*)..",
                "dev.satchel.server.(*)..",
                "dev.satchel.runner.(*)..",
                "dev.satchel.runner.(**)",
                "dev.satchel.documents.(**)",
                "dev.satchel.tools.(**)",
                "dev.satchel.filesystem.(**)"
            })
    void packagesHaveNoCycles(String packages) {
        slices().matching(packages).should().beFreeOfCycles().check(ProductionClasses.ALL);
    }

    @Test
    void packagesAreSmall() {
        Map<String, Long> sizes =
                ProductionClasses.topLevel()
                        .collect(
                                Collectors.groupingBy(
                                        JavaClass::getPackageName, Collectors.counting()));
        sizes.values().removeIf(size -> size <= MAX_TYPES);

        assertThat(sizes).isEmpty();
    }

    @Test
    void typeNamesAreUnique() {
        Map<String, List<String>> types =
                ProductionClasses.topLevel()
                        .collect(
                                Collectors.groupingBy(
                                        JavaClass::getSimpleName,
                                        Collectors.mapping(
                                                JavaClass::getName, Collectors.toList())));
        types.values().removeIf(sameName -> sameName.size() == 1);

        assertThat(types).isEmpty();
    }

    @Test
    void databaseAndObjectStoreUseNoOtherPackageOfTheServer() {
        classes()
                .that()
                .resideInAnyPackage(SERVER + "database..", SERVER + "objectstore..")
                .should()
                .onlyDependOnClassesThat(
                        new ServerPackagesPredicate(SERVER + "database", SERVER + "objectstore"))
                .check(ProductionClasses.ALL);
    }

    @Test
    void accessAndOperationsUseOnlyTheDatabaseAndObjectStore() {
        classes()
                .that()
                .resideInAnyPackage(SERVER + "access..", SERVER + "operations..")
                .should()
                .onlyDependOnClassesThat(
                        new ServerPackagesPredicate(
                                SERVER + "database",
                                SERVER + "objectstore",
                                SERVER + "access",
                                SERVER + "operations"))
                .check(ProductionClasses.ALL);
    }

    @Test
    void onlyCommandsUseTheApplication() {
        noClasses()
                .that()
                .resideOutsideOfPackages(SERVER + "application..", SERVER + "command..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(SERVER + "application..")
                .check(ProductionClasses.ALL);
    }

    @Test
    void onlyApplicationAndCommandsUseTheConfiguration() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        SERVER + "application..", SERVER + "command..", SERVER + "configuration..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(SERVER + "configuration..")
                .because("a class receives the values it needs, not the whole configuration")
                .check(ProductionClasses.ALL);
    }

    /** A dialect can be added, changed or removed alone. */
    @Test
    void noDialectKnowsAnother() {
        slices().matching(SERVER + "dialect.(*)")
                .should()
                .notDependOnEachOther()
                .check(ProductionClasses.ALL);
        noClasses()
                .that()
                .resideOutsideOfPackages(SERVER + "dialect.*..", SERVER + "application..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(SERVER + "dialect.*..")
                .check(ProductionClasses.ALL);
    }

    @Test
    void everyDialectHasAnEncoder() {
        Set<String> dialects =
                ProductionClasses.topLevel()
                        .map(JavaClass::getPackageName)
                        .filter(name -> name.startsWith(SERVER + "dialect."))
                        .collect(Collectors.toSet());
        Set<String> encoders =
                ProductionClasses.topLevel()
                        .filter(type -> type.isAssignableTo(EventEncoder.class))
                        .map(JavaClass::getPackageName)
                        .collect(Collectors.toSet());

        assertThat(dialects).isNotEmpty().allMatch(encoders::contains);
    }
}
