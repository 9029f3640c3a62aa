package io.headgate.testbed.architecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;

/** Classes of the program: not those of tests, which other modules lend as jars. */
final class OfTheProgram implements ImportOption {
    @Override
    public boolean includes(Location location) {
        return !location.contains("/test-classes/") && !location.contains("-tests.jar");
    }
}
