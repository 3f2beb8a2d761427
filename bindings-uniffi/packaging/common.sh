# For the scripts beside it: where things are, and the version that all packages have. Sourced.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
top="$PWD"
target="${CARGO_TARGET_DIR:-$top/target}/packages"
built="$top/bindings-uniffi/build"
# Where archives go; the check puts its own elsewhere.
packages="${MCPBOLT_PACKAGES:-$built}"
version="$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)"
# For the linker of a library for Android, which is lld: equal code once, and relocations in the form
# that Android unpacks, from API 23 on.
packed=(-C link-arg=-Wl,--icf=all -C link-arg=-Wl,--pack-dyn-relocs=android)

need() { # a program, and what it is for
  command -v "$1" > /dev/null || { echo "$0: $1 is not on PATH: $2" >&2; exit 3; }
}

# Features of Cargo.toml that the library for phones has, separated by commas: by default none. With
# `schema-validation` values are checked against their schemas on a phone too.
features="${MCPBOLT_FEATURES:-}"

small() { # the library built for size, for one target, with these features
  cargo build -q --locked --profile small --no-default-features --features "$2" --lib -p mcpbolt-uniffi \
    --target "$1" --target-dir "$target"
}

platform() { # of this machine, as JNA names it
  local system machine
  case "$(uname -s)" in
    Linux) system=linux ;;
    Darwin) system=darwin ;;
    *) system=win32 ;;
  esac
  case "$(uname -m)" in
    x86_64 | amd64) machine=x86-64 ;;
    arm64) machine=aarch64 ;;
    *) machine="$(uname -m)" ;;
  esac
  echo "$system-$machine"
}

sources() { # what the SwiftPM packages have in common, into a folder
  mkdir -p "$1/Sources/MCPBoltEngine"
  cp "$built/swift/MCPBoltEngine.swift" "$1/Sources/MCPBoltEngine/"
  cp -R bindings-uniffi/swift/Sources/MCPBolt "$1/Sources/"
  cp bindings-uniffi/packaging/Package.swift bindings-uniffi/LICENSE-MIT bindings-uniffi/LICENSE-APACHE "$1/"
}
