package dev.satchel.server.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.stream.Stream;

/** The classes of the server and of the modules that it uses, without tests. */
final class ProductionClasses {
    static final JavaClasses ALL =
            new ClassFileImporter()
                    .withImportOption(location -> !location.contains("/test-classes/"))
                    .importPackages("dev.satchel");

    private ProductionClasses() {}

    static Stream<JavaClass> topLevel() {
        return ALL.stream()
                .filter(JavaClass::isTopLevelClass)
                .filter(type -> !type.getSimpleName().equals("package-info"));
    }
}
