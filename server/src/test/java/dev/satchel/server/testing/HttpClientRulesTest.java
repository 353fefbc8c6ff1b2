package dev.satchel.server.testing;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.satchel.server.application.Application;
import java.net.http.HttpClient;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HttpClientRulesTest {
    private static final JavaClasses TESTS =
            new ClassFileImporter()
                    .withImportOption(location -> location.contains("/test-classes/"))
                    .importPackages("dev.satchel.server");

    private static final Set<String> SERVERS =
            Set.of(
                    TestServer.class.getName(),
                    ServerProcess.class.getName(),
                    Application.class.getName());

    @Test
    void whatCallsAServerChecksItsResponses() {
        noClasses()
                .that(
                        DescribedPredicate.describe(
                                "call a server", HttpClientRulesTest::callsServer))
                .should()
                .callMethod(HttpClient.class, "newHttpClient")
                .because("CheckedHttpClient compares each response with the OpenAPI document")
                .check(TESTS);
    }

    private static boolean callsServer(JavaClass test) {
        return test.getDirectDependenciesFromSelf().stream()
                .anyMatch(dependency -> SERVERS.contains(dependency.getTargetClass().getName()));
    }
}
