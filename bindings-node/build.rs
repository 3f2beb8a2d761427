//! Tells the linker that Node brings the symbols.

fn main() {
    napi_build::setup();
}
