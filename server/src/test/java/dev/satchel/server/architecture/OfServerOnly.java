package dev.satchel.server.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.List;

/** Of the server's packages only some; of everything else, anything. */
final class OfServerOnly extends DescribedPredicate<JavaClass> {
    private final List<String> packages;

    OfServerOnly(String... packages) {
        super("are, of the server's, in one of " + String.join(", ", packages));
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
