#!/bin/sh
# `sh without-rustup.sh FOLDER` builds a Rust toolchain in FOLDER that compiles for WebAssembly, for
# machines that can't reach Rust's download server. It uses Debian's packages of Rust and of the
# standard library's sources, and registers with rustup as `taskloom`. Under /usr it changes nothing
# except through apt. `cargo xtask` calls this automatically after `rustup target add` has failed.
set -eu

folder=$1
work=$folder.work
target=wasm32-unknown-unknown
unset RUSTUP_TOOLCHAIN CARGO RUSTC RUSTFLAGS CARGO_ENCODED_RUSTFLAGS CARGO_TARGET_DIR

# Installs the missing packages.
install() {
  dpkg -s "$@" >/dev/null 2>&1 && return
  echo "      apt installs $*"
  if [ "$(id -u)" = 0 ]; then root=; else root="sudo -n"; fi
  apt="$root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300"
  # Old lists are often good enough.
  $apt update || :
  $apt install -y --no-install-recommends --no-remove "$@"
}

install rustc-web cargo-web rust-web-src rust-web-clippy
rust=$(/usr/bin/rustc --version)
host=$(/usr/bin/rustc -vV | sed -n 's/^host: //p')
# The linker must match the compiler's LLVM version.
lld=lld-$(/usr/bin/rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
install "$lld"

echo "      compiling the standard library of $rust for WebAssembly; this takes a minute or two"
mkdir -p "$work/src"
: >"$work/src/lib.rs"
printf '[package]\nname = "probe"\nversion = "0.1.0"\nedition = "2021"\n\n[workspace]\n' >"$work/Cargo.toml"
# Without bitcode, every later build with `lto` fails.
(cd "$work" && PATH=/usr/bin:$PATH RUSTC_BOOTSTRAP=1 RUSTFLAGS=-Cembed-bitcode=yes CARGO_TARGET_DIR=target \
  /usr/bin/cargo build --release --target $target -Z build-std=std,panic_abort,test)

echo "      making the toolchain in $folder"
rm -rf "$folder"
libraries=$folder/lib/rustlib
mkdir -p "$folder/bin" "$libraries/$target/lib" "$libraries/$host/bin"
ln -s "/usr/lib/rustlib/$host/lib" "$libraries/$host/lib"
ln -s "/usr/bin/$lld" "$libraries/$host/bin/rust-lld"
for file in "$work/target/$target/release/deps/"*.rlib; do
  case $file in */libprobe-*) ;; *) cp "$file" "$libraries/$target/lib" ;; esac
done
for program in rustc rustdoc cargo cargo-clippy clippy-driver; do
  case $program in rustc | rustdoc) sysroot="--sysroot '$folder'" ;; *) sysroot= ;; esac
  cat >"$folder/bin/$program" <<END
#!/bin/sh
export PATH='$folder/bin':"\$PATH" SYSROOT='$folder'
exec /usr/bin/$program $sysroot "\$@"
END
  chmod +x "$folder/bin/$program"
done
rustup toolchain link taskloom "$folder"
rm -rf "$work"
