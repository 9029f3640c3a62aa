package io.headgate.testbed.architecture;

import org.junit.jupiter.api.Nested;

/**
 * Which classes may know which. One class asks all, as each JVM that asks reads the whole program
 * for seconds.
 */
class ArchitectureTest {
    @Nested
    class OfTheEngine extends EngineArchitecture {}

    @Nested
    class OfModules extends ModuleArchitecture {}

    @Nested
    class OfTheTestBed extends Rooms {}
}
