#!/usr/bin/env bash
# Takes the package for the JVM into an empty Maven project, as the README of the facade says, and
# runs the program that is printed there:
#   try_maven.sh REPOSITORY
# REPOSITORY: a folder that is Maven's own for this; what it downloads stays there. Takes the classes
# and the library that tests have. Needs a JDK and Maven.
source "$(dirname "$0")/common.sh"
need mvn "it builds the project"
[ $# -eq 1 ] || { echo "usage: try_maven.sh REPOSITORY" >&2; exit 2; }
mkdir -p "$1"
repository="$(cd "$1" && pwd)"
readme=bindings-uniffi/kotlin/README.md
wrong() { echo "    FAILED in an empty Maven project: $*"; exit 1; }

project="$(mktemp -d)"
trap 'rm -rf "$project"' EXIT
export MCPBOLT_PACKAGES="$project/packages"
library="$project/libraries/$(platform)"
mkdir -p "$library"
cp "$built"/lib/*mcpbolt_uniffi.* "$library/"
bash bindings-uniffi/packaging/maven.sh "$repository" target/kotlin/main "$library" > /dev/null

# From the README: the dependency, the program and what it prints.
printed() { # the indented block that begins with a line, without its indentation
  awk -v first="    $1" '$0 == first { on = 1 } on && !/^    / && NF { exit } on { sub(/^    /, ""); print }' "$readme"
}
kotlin="$(sed -n 's|.*<kotlin.version>\(.*\)</kotlin.version>.*|\1|p' bindings-uniffi/kotlin/pom.xml)"
mkdir -p "$project/src/main/kotlin"
printed 'import dev.mcpbolt.*' > "$project/src/main/kotlin/Main.kt"
grep -qF "implementation(\"dev.mcpbolt:mcpbolt:$version\")" "$readme" || wrong "the README names another version for Gradle"
says="$(sed -n 's/^It prints `\(.*\)`\.$/\1/p' "$readme")"
cat > "$project/pom.xml" << END
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>example</groupId>
  <artifactId>weather</artifactId>
  <version>1</version>
  <dependencies>
$(printed '<dependency>')
  </dependencies>
  <build>
    <sourceDirectory>src/main/kotlin</sourceDirectory>
    <plugins>
      <plugin>
        <groupId>org.jetbrains.kotlin</groupId>
        <artifactId>kotlin-maven-plugin</artifactId>
        <version>$kotlin</version>
        <executions><execution><goals><goal>compile</goal></goals></execution></executions>
      </plugin>
    </plugins>
  </build>
</project>
END
(cd "$project" && mvn -q -B -ntp -Dstyle.color=never "-Dmaven.repo.local=$repository" compile \
  org.apache.maven.plugins:maven-dependency-plugin:3.10.0:build-classpath -Dmdep.outputFile=classpath) \
  || wrong "it does not compile"
answer="$(timeout 60 java -cp "$project/target/classes:$(cat "$project/classpath")" MainKt)" || wrong "the program fails"
[ "$answer" = "$says" ] || wrong "the program prints \"$answer\", and not \"$says\""
echo "    in an empty Maven project: $answer"
