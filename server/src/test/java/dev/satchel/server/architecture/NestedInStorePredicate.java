package dev.satchel.server.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Optional;

/** Types nested in a store. */
final class NestedInStorePredicate extends DescribedPredicate<JavaClass> {
    NestedInStorePredicate() {
        super("are nested in a store");
    }

    @Override
    public boolean test(JavaClass type) {
        Optional<JavaClass> outer = type.getEnclosingClass();
        return outer.isPresent()
                && (outer.get().getSimpleName().endsWith("Store") || test(outer.get()));
    }
}
