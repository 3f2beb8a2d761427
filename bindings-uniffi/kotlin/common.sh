# What build.sh and check.sh share: where things are, and how Kotlin is compiled.
# MCPBOLT_KOTLIN_JARS: a folder with what pom.xml names; made in .cache otherwise. MCPBOLT_KTOR_JARS: the same for
# ktor/pom.xml, which only check.sh and build-ktor.sh need.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
root="$(cd ../.. && pwd)"
engine="$root/bindings-uniffi/build"
out="$root/target/kotlin"

# What a pom names, in a folder of .cache.
fetched() {
  local folder="$root/.cache/$1-$(cksum < "$2" | cut -d ' ' -f 1)"
  if [ ! -f "$folder/.done" ]; then
    mvn -q -B -ntp -f "$2" dependency:copy-dependencies "-DoutputDirectory=$folder" >&2
    touch "$folder/.done"
  fi
  echo "$folder"
}

jars="${MCPBOLT_KOTLIN_JARS:-$(fetched kotlin-jars pom.xml)}"
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
