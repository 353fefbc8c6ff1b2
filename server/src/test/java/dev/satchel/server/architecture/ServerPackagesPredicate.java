package dev.satchel.server.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.List;

/** Types of the given packages of the server, and all types outside of the server. */
final class ServerPackagesPredicate extends DescribedPredicate<JavaClass> {
    private final List<String> packages;

    ServerPackagesPredicate(String... packages) {
        super("are outside of the server or in one of " + String.join(", ", packages));
        this.packages = List.of(packages);
    }

    @Override
    public boolean test(JavaClass type) {
        String name = type.getBaseComponentType().getPackageName();
        return !name.startsWith("dev.satchel.server")
                || packages.stream()
                        .anyMatch(
                                allowed -> name.equals(allowed) || name.startsWith(allowed + "."));
    }
}
