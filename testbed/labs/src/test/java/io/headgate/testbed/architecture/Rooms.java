package io.headgate.testbed.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Tags;
import org.junit.jupiter.api.Test;

/** The rooms of the test bed: small enough to know, and with dependencies that point one way. */
abstract class Rooms {
    private static final String ROOT = "io.headgate.testbed";

    private static final JavaClasses ALL =
            TheProgram.Read.WITH_TESTS.that(resideInAPackage(ROOT + ".."));

    private static final JavaClasses MAIN =
            TheProgram.Read.CLASSES.that(resideInAPackage(ROOT + ".."));

    /** Networks in virtual time: needs no root. */
    private static final String[] SIMULATION = {
        ROOT,
        ROOT + ".congestion..",
        ROOT + ".hook..",
        ROOT + ".topology..",
        ROOT + ".traffic..",
        ROOT + ".virtual.."
    };

    private static final String[] EXPERIMENTS = {
        ROOT + ".figure..", ROOT + ".imports..", ROOT + ".scenario..", ROOT + ".swarm.."
    };

    /** Real frames, and tests that start the program as people do. */
    private static final String[] LABS = {
        ROOT + ".architecture..",
        ROOT + ".conform..",
        ROOT + ".datacenter..",
        ROOT + ".examples..",
        ROOT + ".lab..",
        ROOT + ".netns..",
        ROOT + ".rdma..",
        ROOT + ".submit..",
        ROOT + ".web.."
    };

    private static final DescribedPredicate<JavaClass> HELD =
            resideInAnyPackage(
                    ROOT + ".virtual..",
                    ROOT + ".traffic..",
                    ROOT + ".swarm..",
                    ROOT + ".lab..",
                    ROOT + ".netns");

    /** One slice per class with all that is nested in it, and with a record's generated withers. */
    private static final SliceAssignment CLASSES =
            new SliceAssignment() {
                @Override
                public SliceIdentifier getIdentifierOf(JavaClass one) {
                    return HELD.test(one)
                            ? SliceIdentifier.of(outermost(one).getName())
                            : SliceIdentifier.ignore();
                }

                @Override
                public String getDescription() {
                    return "classes that " + HELD.getDescription();
                }
            };

    private static JavaClass outermost(JavaClass one) {
        JavaClass own = one.getEnclosingClass().map(Rooms::outermost).orElse(one);
        return own.getMethods().stream()
                .filter(method -> method.getName().equals("build"))
                .map(JavaMethod::getRawReturnType)
                .filter(made -> own.getSimpleName().equals(nameOfWithers(made)))
                .findFirst()
                .map(Rooms::outermost)
                .orElse(own);
    }

    /** As RecordBuilder calls what it makes, also of a record inside a class. */
    private static String nameOfWithers(JavaClass made) {
        return made.getName().replaceFirst(".*[.]", "").replace("$", "") + "Builder";
    }

    private static void doesNotKnow(String room, String other) {
        noClasses()
                .that()
                .resideInAPackage(ROOT + room)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(ROOT + other)
                .check(MAIN);
    }

    /**
     * Nothing of the simulation needs root or an experiment, and no experiment needs a lab; nor
     * does a test of theirs.
     */
    @Test
    void simulationExperimentsAndLabsLeanOnThoseBelow() {
        layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .layer("simulation")
                .definedBy(SIMULATION)
                .layer("experiments")
                .definedBy(EXPERIMENTS)
                .layer("labs")
                .definedBy(LABS)
                .whereLayer("simulation")
                .mayNotAccessAnyLayer()
                .whereLayer("experiments")
                .mayOnlyAccessLayers("simulation")
                .ensureAllClassesAreContainedInArchitecture()
                .check(ALL);
    }

    /** Tests with devices run apart from the others, as one group: that of the labs. */
    @Test
    void testsWithDevicesAreAmongTheLabs() {
        classes()
                .that(describe("are tests with devices", Rooms::hasDevices))
                .should()
                .resideInAnyPackage(LABS)
                .check(ALL);
    }

    private static boolean hasDevices(JavaClass test) {
        return Stream.concat(Stream.of(test), test.getMethods().stream())
                .flatMap(part ->
                        Stream.concat(
                                part.tryGetAnnotationOfType(Tag.class).stream(),
                                part.tryGetAnnotationOfType(Tags.class).stream()
                                        .flatMap(tags -> Stream.of(tags.value()))))
                .anyMatch(tag -> tag.value().equals("netns"));
    }

    @Test
    void packagesDoNotKnowEachOtherInCircles() {
        slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(MAIN);
    }

    @Test
    void norDoTheClassesOfARoom() {
        slices().assignedFrom(CLASSES).should().beFreeOfCycles().check(MAIN);
    }

    @Test
    void trafficRunsInVirtualAndInRealTime() {
        doesNotKnow(".traffic..", ".virtual..");
        doesNotKnow(".traffic..", ".netns..");
    }

    @Test
    void drawingAnExperimentDoesNotRunIt() {
        doesNotKnow(".swarm.draw..", ".virtual");
    }

    @Test
    void labsRunOnRealFramesOnly() {
        doesNotKnow(".lab..", ".virtual..");
    }

    /** What says how fast flows may send is driven by every clock, as the engine is. */
    @Test
    void ratesOfFlowsKnowNoClockThreadSocketOrLog() {
        String host = "io.headgate.hostagent";
        JavaClasses all = TheProgram.Read.in(host);
        ArchRule pure = isPure(host + ".rate");
        pure.check(all);
        isPure(host + ".rdma").check(all);
        // The rule finds what starts threads and reads clocks where there is some.
        assertThatThrownBy(() -> isPure(host).check(all)).isInstanceOf(AssertionError.class);
        noClasses()
                .that()
                .resideInAPackage(host + ".rate")
                .should()
                .dependOnClassesThat(
                        resideInAPackage("io.headgate..")
                                .and(
                                        not(
                                                resideInAnyPackage(
                                                        host + ".rate",
                                                        "io.headgate.config..",
                                                        "io.headgate.dataplane.congestion",
                                                        "io.headgate.dataplane.counter",
                                                        "io.headgate.dataplane.forwarding",
                                                        "io.headgate.dataplane.frame",
                                                        "io.headgate.dataplane.memory",
                                                        "io.headgate.dataplane.queue"))))
                .check(all);
    }

    private static ArchRule isPure(String room) {
        return noClasses()
                .that()
                .resideInAPackage(room)
                .should()
                .dependOnClassesThat(
                        nameMatching(
                                "java\\.lang\\.(Thread|ThreadLocal|Runtime|Process.*|System\\$Logger)"
                                        + "|java\\.util\\.(Random|SplittableRandom|UUID|Timer.*"
                                        + "|HashMap|HashSet|IdentityHashMap)"
                                        + "|java\\.util\\.(concurrent|random|logging)\\..*"
                                        + "|java\\.net\\..*|java\\.nio\\.(channels|file)\\..*"
                                        + "|java\\.time\\..*|org\\.slf4j\\..*"))
                .orShould()
                .accessTargetWhere(
                        describe(
                                "the system's clock or streams",
                                access ->
                                        access.getTarget()
                                                .getFullName()
                                                .matches(
                                                        "java\\.lang\\.System\\.(nanoTime|"
                                                                + "currentTimeMillis|out|err|in)"
                                                                + "(\\(\\))?")));
    }
}
