#!/usr/bin/env bash
# Makes hipcc compile for gfx90a, if this machine lets us: Debian or Ubuntu, as root or with a passwordless sudo.
#
# Prints nothing where all is there. Where hipcc cannot be had, one line says why and which tests that leaves out; the
# exit status is then 0, or 1 with HIPIFY_REQUIRE_HIPCC=1.
set -euo pipefail

compiler=(hipcc libamdhip64-dev rocm-device-libs lld-15)
headers=(libhiprand-dev librocrand-dev librocprim-dev)    # for sources that use these libraries
hipcc=${HIPCC:-hipcc}

works() {
    local dir status=0
    command -v "$hipcc" >/dev/null || return 1
    dir=$(mktemp -d)
    printf '#include <hip/hip_runtime.h>\n__global__ void k(float *p) { p[threadIdx.x] = 1.0f; }\n' >"$dir/probe.hip"
    HIP_PLATFORM=amd "$hipcc" --offload-arch=gfx90a -c "$dir/probe.hip" -o "$dir/probe.o" </dev/null \
        >/dev/null 2>&1 || status=1
    rm -rf "$dir"
    return "$status"
}

give_up() {
    echo "hipcc: $1: the tests that compile for gfx90a (marked toolchain) are left out"
    case ${HIPIFY_REQUIRE_HIPCC:-} in '' | 0) exit 0 ;; *) exit 1 ;; esac
}

missing() {    # those of the named packages that are not installed
    local package
    for package in "$@"; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q ' installed$' || printf '%s\n' "$package"
    done
}

known() {    # those of the named packages that apt can install
    local package
    for package in "$@"; do
        if apt-cache show "$package" >/dev/null 2>&1; then printf '%s\n' "$package"; fi
    done
}

if works; then
    working=yes
    # A hipcc from elsewhere, AMD's own say, comes with its own headers.
    dpkg-query -W hipcc >/dev/null 2>&1 && [ -n "$(missing "${headers[@]}")" ] || exit 0
else
    working=no
    command -v apt-get >/dev/null || give_up "not installed, and this is no Debian or Ubuntu (no apt-get)"
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! sudo -n true 2>/dev/null; then
        [ "$working" = no ] || exit 0
        give_up "not installed, and we are neither root nor allowed to use sudo without a password"
    fi
    as_root=(sudo -n)
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y "$@" </dev/null >>"$log" 2>&1; }

apt update || true    # an old list may still do
if [ "$working" = no ]; then
    [ -n "$(known hipcc)" ] || give_up "not installed, and apt-get knows no package hipcc"
    mapfile -t wanted < <(known "${compiler[@]}")
    echo "hipcc: installing ${wanted[*]} with apt-get (about 1 GB)"
    apt install --no-install-recommends "${wanted[@]}" ||
        give_up "apt-get install ${wanted[*]} failed ($(tail -n 1 "$log"))"
    works || give_up "installed, but it does not compile a small file for gfx90a"
fi
mapfile -t absent < <(missing "${headers[@]}")
mapfile -t wanted < <(known "${absent[@]}")
if [ ${#wanted[@]} -gt 0 ]; then
    apt install --no-install-recommends "${wanted[@]}" ||
        echo "hipcc: could not install ${wanted[*]}: sources that use these libraries will not compile"
fi
