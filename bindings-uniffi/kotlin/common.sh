# What build.sh and check.sh share: where things are, and how Kotlin is compiled.
# MCPBOLT_KOTLIN_JARS: a folder with what pom.xml names; made in .cache otherwise.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
root="$(cd ../.. && pwd)"
engine="$root/bindings-uniffi/build"
out="$root/target/kotlin"
jars="${MCPBOLT_KOTLIN_JARS:-}"
if [ -z "$jars" ]; then
  jars="$root/.cache/kotlin-jars-$(cksum < pom.xml | cut -d ' ' -f 1)"
  if [ ! -f "$jars/.done" ]; then
    mvn -q -B -ntp dependency:copy-dependencies "-DoutputDirectory=$jars"
    touch "$jars/.done"
  fi
fi
all="$(printf '%s:' "$jars"/*.jar)"

# What writes serializers of `@Serializable` classes, for `compile`. The facade has none but its own.
serializers() {
  echo "-Xplugin=$(echo "$jars"/kotlin-serialization-compiler-plugin-embeddable-*.jar)"
}

# Changes with what the files of these places say.
stamp_of() {
  find "$@" -type f -print0 | sort -z | xargs -0 cat | cksum
}

# For so short a run the second stage of the JIT costs more than it saves.
compile() {
  timeout 600 java -Xmx1500m -XX:TieredStopAtLevel=1 -cp "$jars/*" org.jetbrains.kotlin.cli.jvm.K2JVMCompiler \
    -no-stdlib -no-reflect -nowarn -jvm-target 11 "$@"
}
