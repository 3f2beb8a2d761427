#!/usr/bin/env bash
# Looks at what the archive for Android holds as an app's build does: nothing is used that the oldest
# Android lacks, and `r8` makes an app of the classes, with the rules that the archive has, without
# missing one.
#   try_android.sh TOOLS JARS
# TOOLS: a folder with what android/pom.xml names. JARS: one with what programs get. Takes the classes
# and the example that tests have compiled. Needs a JDK.
source "$(dirname "$0")/common.sh"
[ $# -eq 2 ] || { echo "usage: try_android.sh TOOLS JARS" >&2; exit 2; }
here=bindings-uniffi/packaging
tools="$(cd "$1" && pwd)" jars="$(cd "$2" && pwd)"
classes=target/kotlin/main
wrong() { echo "    FAILED for Android: $*"; exit 1; }
least="$(sed -n 's/.*minSdkVersion="\([0-9]*\)".*/\1/p' $here/AndroidManifest.xml)"

signature="$(echo "$tools"/gummy-bears-api-"$least"-*.signature)"
[ -f "$signature" ] || wrong "android/pom.xml has no signature of API $least, which the manifest names"
java -cp "$tools/*" $here/android/ApiCheck.java "$signature" $classes || wrong "API $least has not all that is used"

app="$(mktemp -d)"
trap 'rm -rf "$app"' EXIT
mkdir "$app/jna" "$app/dex"
(cd "$app/jna" && jar --extract --file "$(echo "$tools"/jna-*.aar)" classes.jar)
jar --create --file "$app/app.jar" -C target/kotlin/programs examples/phone
jar --create --file "$app/mcpbolt.jar" -C $classes .
echo '-keep class examples.phone.ForecastModel { public *; }' > "$app/app.pro"
rules=(--pg-conf $here/keep-rules.pro --pg-conf "$app/app.pro")
# As Android's build does, by itself.
for jar in "$jars"/kotlinx-*.jar; do
  mkdir "$app/$(basename "$jar")"
  (cd "$app/$(basename "$jar")" && jar --extract --file "$jar" META-INF/com.android.tools/r8)
done
while read -r file; do rules+=(--pg-conf "$file"); done < <(find "$app" -path '*/r8/*.pro')
# The system's own classes are Java's here: which of them an Android has was looked at above.
java -Xmx1500m -cp "$(echo "$tools"/r8-*.jar)" com.android.tools.r8.R8 --release --min-api "$least" \
  --lib "$(java -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.home = //p')" "${rules[@]}" --output "$app/dex" \
  "$app/app.jar" "$app/mcpbolt.jar" "$app/jna/classes.jar" "$jars"/kotlin-stdlib-*.jar "$jars"/kotlinx-*.jar "$jars"/annotations-*.jar \
  > "$app/said" 2>&1 || { cat "$app/said"; wrong "r8 misses something"; }
for name in dev/mcpbolt/engine/EngineClient dev/mcpbolt/NativeCalls com/sun/jna/Native examples/phone/ForecastModel; do
  grep -qa "L$name;" "$app"/dex/*.dex || wrong "the app has no $name"
done
echo "    for Android of API $least and later: an app of $(cat "$app"/dex/*.dex | wc -c | tr -d ' ') bytes of code"
