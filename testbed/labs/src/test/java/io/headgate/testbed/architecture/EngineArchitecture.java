package io.headgate.testbed.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/**
 * What keeps the engine the same under every clock: which packages may depend on which, and what
 * only devices and runners may touch. Each rule is also tried on code that breaks it, so that no
 * rule passes without looking.
 */
abstract class EngineArchitecture {
    private static final String ROOT = "io.headgate.dataplane";
    private static final String DEVICES = ROOT + ".device..";
    private static final String LINUX = ROOT + ".device.linux..";
    private static final String RUNNER = ROOT + ".runner..";
    private static final String CONFIG = "io.headgate.config..";

    private static final String CARD = "io.headgate.hostagent.card..";
    private static final String RATE = "io.headgate.hostagent.rate..";
    private static final String ICC = "io.headgate.hostagent.icc..";
    private static final String PATHS = "io.headgate.hostagent.telemetry..";

    private static final JavaClasses MAIN = TheProgram.Read.in(ROOT, "io.headgate.hostagent");
    private static final JavaClasses OFFENCES =
            new ClassFileImporter().importClasses(Offences.class);

    /** All but what meets the world, and what breaks the rules to show that they look. */
    private static final DescribedPredicate<JavaClass> THE_ENGINE =
            resideInAnyPackage(ROOT + "..", CARD, RATE, ICC, PATHS, Offences.class.getPackageName())
                    .and(not(resideInAnyPackage(DEVICES, RUNNER)))
                    .as(
                            "the engine (dataplane but for devices and runner, a host's card, rates, ICC and paths)");

    private static void holds(ArchRule rule) {
        rule.check(MAIN);
        assertThatThrownBy(() -> rule.check(OFFENCES)).isInstanceOf(AssertionError.class);
    }

    private static ArchRule noEngineClassCalls(
            DescribedPredicate<JavaAccess<?>> forbidden, String because) {
        return noClasses().that(THE_ENGINE).should().accessTargetWhere(forbidden).because(because);
    }

    private static ArchRule noEngineClassUses(String because, String... packages) {
        return noClasses()
                .that(THE_ENGINE)
                .should()
                .dependOnClassesThat(resideInAnyPackage(packages))
                .because(because);
    }

    private static DescribedPredicate<JavaAccess<?>> member(String ownerAndNameRegex) {
        return describe(
                "a member matching " + ownerAndNameRegex,
                access -> {
                    AccessTarget target = access.getTarget();
                    return (target.getOwner().getName() + "." + target.getName())
                            .matches(ownerAndNameRegex);
                });
    }

    private static ArchRule dependsOnlyOn(String name, String... allowed) {
        String own = ROOT + "." + name;
        String[] all = new String[allowed.length + 1];
        System.arraycopy(allowed, 0, all, 0, allowed.length);
        all[allowed.length] = own;
        return noClasses()
                .that(resideInAPackage(own))
                .should()
                .dependOnClassesThat(
                        resideInAPackage("io.headgate..").and(not(resideInAnyPackage(all))))
                .because(name + " knows only " + String.join(", ", allowed));
    }

    @Test
    void packagesDependOneWay() {
        String memory = ROOT + ".memory";
        String frame = ROOT + ".frame";
        String counter = ROOT + ".counter";
        dependsOnlyOn("memory").check(MAIN);
        dependsOnlyOn("frame", memory).check(MAIN);
        dependsOnlyOn("policy").check(MAIN);
        dependsOnlyOn("queue", memory, frame, counter, ROOT + ".policy", CONFIG).check(MAIN);
        String sync = ROOT + ".memory.sync";
        String policy = ROOT + ".policy";
        String queue = ROOT + ".queue";
        String linkControl = ROOT + ".linkcontrol";
        dependsOnlyOn("memory.sync").check(MAIN);
        dependsOnlyOn("linkcontrol", frame, queue, policy, sync, counter, CONFIG).check(MAIN);
        dependsOnlyOn("pause", frame, queue, policy, linkControl, sync, CONFIG).check(MAIN);
        dependsOnlyOn("credit", frame, queue, policy, linkControl, sync, CONFIG).check(MAIN);
        String detour = ROOT + ".detour";
        String congestion = ROOT + ".congestion";
        dependsOnlyOn("detour", memory, frame, queue, linkControl, congestion, CONFIG).check(MAIN);
        String deadlock = ROOT + ".deadlock";
        for (String mechanism : List.of("escape", "deadlock", "loopbreaker", "deadlockbreaker")) {
            dependsOnlyOn(
                            mechanism,
                            mechanism.equals("escape") ? detour : deadlock,
                            detour,
                            memory,
                            frame,
                            queue,
                            policy,
                            linkControl,
                            congestion,
                            sync,
                            counter,
                            CONFIG)
                    .check(MAIN);
        }
        dependsOnlyOn(
                        "flowcontrol",
                        memory,
                        frame,
                        queue,
                        policy,
                        linkControl,
                        ROOT + ".pause",
                        ROOT + ".credit",
                        detour,
                        sync,
                        counter,
                        CONFIG)
                .check(MAIN);
        dependsOnlyOn("forwarding", memory, frame, ROOT + ".random", CONFIG).check(MAIN);
        dependsOnlyOn("device..", memory, sync, frame, ROOT + ".random", CONFIG).check(MAIN);
        dependsOnlyOn(
                        "local",
                        memory,
                        frame,
                        CONFIG,
                        ROOT + ".device",
                        ROOT + ".forwarding",
                        ROOT + ".congestion",
                        counter)
                .check(MAIN);
        dependsOnlyOn("counter", memory).check(MAIN);
        dependsOnlyOn("capture", memory, sync, frame).check(MAIN);
        dependsOnlyOn("random").check(MAIN);
        dependsOnlyOn(
                        "congestion",
                        memory,
                        sync,
                        frame,
                        counter,
                        CONFIG,
                        ROOT + ".policy",
                        ROOT + ".random",
                        ROOT + ".congestion.flows")
                .check(MAIN);
        dependsOnlyOn("congestion.flows", memory, frame, ROOT + ".random").check(MAIN);
        dependsOnlyOn(
                        "telemetry",
                        memory,
                        sync,
                        frame,
                        counter,
                        congestion,
                        ROOT + ".policy",
                        ROOT + ".random",
                        CONFIG)
                .check(MAIN);
        dependsOnlyOn("icc", memory, sync, frame, counter, congestion, ROOT + ".random", CONFIG)
                .check(MAIN);
    }

    @Test
    void mechanismsKnowNoEngine() {
        dependsOnlyOn(
                        "domain",
                        ROOT + ".memory",
                        ROOT + ".congestion",
                        ROOT + ".queue",
                        ROOT + ".policy",
                        CONFIG)
                .check(MAIN);
        dependsOnlyOn("openqueue.language").check(MAIN);
        dependsOnlyOn(
                        "openqueue",
                        ROOT + ".openqueue.language",
                        CONFIG,
                        ROOT + ".domain",
                        ROOT + ".memory",
                        ROOT + ".frame",
                        ROOT + ".counter",
                        ROOT + ".congestion",
                        ROOT + ".queue",
                        ROOT + ".policy",
                        ROOT + ".random")
                .check(MAIN);
        noClasses()
                .that(
                        resideInAnyPackage(
                                ROOT + ".congestion..",
                                ROOT + ".linkcontrol",
                                ROOT + ".policy",
                                ROOT + ".queue",
                                ROOT + ".domain"))
                .should()
                .dependOnClassesThat(resideInAPackage(ROOT + ".engine.."))
                .because("a mechanism is given what it needs")
                .check(MAIN);
    }

    /** Each comes in a jar of its own, or could. */
    @Test
    void nobodyInTheSwitchKnowsADetour() {
        String[] detours = {
            ROOT + ".escape", ROOT + ".deadlock", ROOT + ".loopbreaker", ROOT + ".deadlockbreaker"
        };
        noClasses()
                .that(resideInAPackage(ROOT + "..").and(not(resideInAnyPackage(detours))))
                .should()
                .dependOnClassesThat(resideInAnyPackage(detours))
                .because("a detour is found by its name, and told what it needs to know")
                .check(MAIN);
    }

    @Test
    void halvesKnowNoneWhoAssemblesThemNorWhatStandsBehindAPort() {
        noClasses()
                .that(resideInAPackage(ROOT + ".engine"))
                .should()
                .dependOnClassesThat(resideInAnyPackage(ROOT + ".local", ROOT + ".assembly"))
                .because("an engine takes what it is given")
                .check(MAIN);
        noClasses()
                .that(resideInAnyPackage(CARD, RATE))
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage(
                                ROOT + ".assembly", ROOT + ".local", "io.headgate.hostagent"))
                .because("a host's card is an engine of its own")
                .check(MAIN);
    }

    @Test
    void engineKnowsNoDeviceButTheInterfaceAndNoRunner() {
        noClasses()
                .that(THE_ENGINE)
                .should()
                .dependOnClassesThat(resideInAnyPackage(LINUX, RUNNER))
                .because("the engine is driven; it does not drive")
                .check(MAIN);
        noClasses()
                .that(resideInAPackage(DEVICES))
                .should()
                .dependOnClassesThat(resideInAnyPackage(ROOT + ".engine..", RUNNER))
                .because("nothing in a device knows what it serves")
                .check(MAIN);
    }

    @Test
    void engineReadsNoClock() {
        holds(
                noEngineClassCalls(
                        member(
                                "java\\.lang\\.System\\.(nanoTime|currentTimeMillis)"
                                        + "|java\\.time\\..*\\.(now|system.*)"
                                        + "|java\\.util\\.Date\\..*"),
                        "time is an argument: the same engine runs in virtual time"));
    }

    @Test
    void engineStartsNoThreadAndTakesNoLock() {
        holds(
                noClasses()
                        .that(THE_ENGINE)
                        .should()
                        .dependOnClassesThat(
                                nameMatching(
                                        "java\\.lang\\.(Thread|ThreadLocal|Runtime|Process.*)"
                                                + "|java\\.util\\.Timer.*"
                                                + "|java\\.util\\.concurrent\\..*"))
                        .because("runners own threads, and nothing on the path of a frame waits"));
        methods()
                .that()
                .areDeclaredInClassesThat(THE_ENGINE)
                .should()
                .notHaveModifier(JavaModifier.SYNCHRONIZED)
                .check(MAIN);
    }

    @Test
    void engineOpensNoSocketAndNoFile() {
        holds(
                noClasses()
                        .that(THE_ENGINE)
                        .should()
                        .dependOnClassesThat(
                                resideInAnyPackage(
                                                "java.net..",
                                                "java.nio.channels..",
                                                "java.nio.file..",
                                                "io.netty..")
                                        .and(not(nameMatching("java\\.net\\.Inet[46]?Address"))))
                        .because("devices and runners meet the world, the engine does not"));
        holds(
                noEngineClassCalls(
                        member("java\\.lang\\.System\\.(out|err|in|getenv|getProperty|exit)"),
                        "the engine's only inputs are its arguments"));
    }

    @Test
    void engineDoesNotLog() {
        holds(
                noEngineClassUses(
                        "what happened is a counter",
                        "java.util.logging..",
                        "org.slf4j..",
                        "java.lang.System$Logger"));
    }

    @Test
    void engineDrawsNoUnnamedRandomness() {
        holds(
                noClasses()
                        .that(THE_ENGINE)
                        .should()
                        .dependOnClassesThat(
                                nameMatching(
                                        "java\\.util\\.(Random|SplittableRandom|UUID)"
                                                + "|java\\.util\\.random\\..*"
                                                + "|java\\.security\\..*"
                                                + "|java\\.util\\.concurrent\\.ThreadLocalRandom"))
                        .because("same seed, same digest"));
        holds(
                noEngineClassCalls(
                        member("java\\.lang\\.(Math|StrictMath)\\.random"),
                        "same seed, same digest"));
    }

    @Test
    void engineIteratesNothingInHashOrder() {
        holds(
                noClasses()
                        .that(THE_ENGINE)
                        .should()
                        .dependOnClassesThat(
                                nameMatching(
                                        "java\\.util\\.(HashMap|HashSet|IdentityHashMap|WeakHashMap"
                                                + "|Hashtable)"))
                        .because("the order differs from run to run"));
        holds(
                noEngineClassCalls(
                        member(
                                "java\\.util\\.(Set|Map)\\.(of|copyOf|ofEntries)"
                                        + "|java\\.util\\.stream\\.Collectors"
                                        + "\\.(toSet|toMap|groupingBy|partitioningBy"
                                        + "|toUnmodifiableSet|toUnmodifiableMap)"
                                        + "|java\\.lang\\.System\\.identityHashCode"
                                        + "|java\\.lang\\.Object\\.hashCode"),
                        "each JVM salts their order"));
    }

    @Test
    void engineComputesTheSameOnEveryMachine() {
        holds(
                noEngineClassCalls(
                        member(
                                "java\\.lang\\.Math\\.(sin|cos|tan|asin|acos|atan|atan2|sinh|cosh"
                                        + "|tanh|exp|expm1|log|log10|log1p|pow|cbrt|hypot)"),
                        "Math may round these differently from machine to machine; StrictMath"
                                + " does not"));
    }

    @Test
    void nothingSharesMutableStaticState() {
        ArchRule finals =
                fields().that()
                        .areStatic()
                        .and()
                        .areDeclaredInClassesThat(THE_ENGINE)
                        .should()
                        .beFinal();
        finals.check(MAIN);
        assertThatThrownBy(() -> finals.check(OFFENCES)).isInstanceOf(AssertionError.class);
        ArchRule arrays =
                fields().that(describe("are static arrays", EngineArchitecture::isStaticArray))
                        .and()
                        .areDeclaredInClassesThat(THE_ENGINE)
                        .should()
                        .bePrivate()
                        .orShould()
                        .bePackagePrivate();
        arrays.check(MAIN);
        assertThatThrownBy(() -> arrays.check(OFFENCES)).isInstanceOf(AssertionError.class);
    }

    private static boolean isStaticArray(JavaField field) {
        return field.getModifiers().contains(JavaModifier.STATIC)
                && !field.getModifiers().contains(JavaModifier.SYNTHETIC)
                && field.getRawType().isArray();
    }

    @Test
    void nobodyUsesUnsafe() {
        noClasses()
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage("sun.misc..", "jdk.internal..", "sun.nio.."))
                .check(MAIN);
    }

    @Test
    void systemCallsLiveInDeviceLinuxAlone() {
        holds(
                noClasses()
                        .that(not(resideInAPackage(LINUX)))
                        .should()
                        .dependOnClassesThat(
                                nameMatching("java\\.lang\\.foreign\\.(Linker|SymbolLookup).*")));
    }

    @Test
    void everyPackageSaysWhatItIsAndIsNullMarked() {
        TreeSet<String> named = new TreeSet<>();
        TreeSet<String> marked = new TreeSet<>();
        for (JavaClass type : MAIN) {
            named.add(type.getPackageName());
            if (type.getSimpleName().equals("package-info")
                    && type.isAnnotatedWith(NullMarked.class)) {
                marked.add(type.getPackageName());
            }
        }
        assertThat(marked).isEqualTo(named);
    }

    @Test
    void classesOnThePathOfAFrameAreFinal() {
        classes()
                .that(THE_ENGINE)
                .and()
                .areNotInterfaces()
                .and()
                .areTopLevelClasses()
                .and(not(nameMatching(".*\\.(package-info|Engine)")))
                // Extended by hidden classes, which no sealed class can permit: each final, and
                // each with a profile of its own.
                .and(not(nameMatching(".*\\.openqueue\\.(PolicyState|PacketState|Ranking)")))
                // Extended by two mechanisms in packages of their own: no port has both.
                .and(not(nameMatching(".*\\.deadlock\\.Loop(Detour|Receiver)")))
                .should(beFinalOrSealed())
                .because("a call that has one target is inlined; frames pass no method of Engine")
                .check(MAIN);
    }

    private static ArchCondition<JavaClass> beFinalOrSealed() {
        return new ArchCondition<>("be final, sealed or an enum") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                boolean closed =
                        type.getModifiers().contains(JavaModifier.FINAL)
                                || type.isEnum()
                                || type.reflect().isSealed();
                events.add(new SimpleConditionEvent(type, closed, type.getName() + " is open"));
            }
        };
    }
}
