#!/usr/bin/env bash
# tools/current-hipcc.sh FOLDER: a current hipcc for a machine whose own is old, out of a Debian unstable root.
#
# Puts the root (about 1.1 GB, the libraries' headers without the libraries included) into FOLDER/root and a wrapper to call as hipcc into FOLDER/hipcc, whose path is printed.
# Needs root, mmdebstrap and a Debian whose apt can reach a mirror. Use it as
#     HIPCC_CURRENT="$(tools/current-hipcc.sh FOLDER)" make test
# Then the golden files marked `newer-hip` are compiled too.
set -euo pipefail

die() { echo "current-hipcc: $1" >&2; exit 1; }

[ $# -eq 1 ] || die "say where to put it: tools/current-hipcc.sh FOLDER"
mkdir -p "$1"
folder=$(realpath "$1")
root=$folder/root
wrapper=$folder/hipcc

if [ ! -x "$root/usr/bin/hipcc" ]; then
    [ "$(id -u)" -eq 0 ] || die "making a root needs root"
    command -v mmdebstrap >/dev/null || die "mmdebstrap is missing: apt-get install mmdebstrap"
    # shellcheck disable=SC2016  # apt's own placeholder
    mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | grep -v security | head -n 1)
    [ -n "$mirror" ] || die "apt names no mirror: run apt-get update first"
    rm -rf "$root"
    libraries="librocthrust-dev libhipcub-dev librocprim-dev librocrand-dev libhiprand-dev librocblas-dev libhipblas-dev
        libhipblas-common-dev libhipblaslt-dev libhipfft-dev librocfft-dev libhipsparse-dev librocsparse-dev libhipsolver-dev
        librocsolver-dev libmiopen-dev librccl-dev libroctx-dev librocm-smi-dev"
    # The headers are 31 MB; installing the packages would bring 10 GB of libraries with them.
    unpack="cd /tmp && apt-get -q download $(echo $libraries) && for each in *.deb; do dpkg -x \$each /; done && rm -f *.deb"
    mmdebstrap --quiet --variant=apt --include=hipcc,libamdhip64-dev,g++ \
        --aptopt='APT::Install-Recommends "false"' --aptopt='Acquire::Check-Valid-Until "false"' \
        --customize-hook="chroot \"\$1\" sh -ec '$unpack' >&2" \
        sid "$root" "$mirror" >&2
fi

# The host's folders appear in the root under their own names, in a mount namespace that ends with the call.
cat >"$wrapper" <<'END'
#!/usr/bin/env bash
set -euo pipefail
root=$(dirname "$(realpath "${BASH_SOURCE[0]}")")/root
export HIPCC_ROOT=$root HIPCC_CWD=$PWD
exec unshare --mount bash -c '
    set -e
    for host in /*; do
        case $host in /usr | /bin | /sbin | /lib* | /etc | /var | /opt | /boot) continue ;; esac
        [ -d "$host" ] && [ ! -L "$host" ] || continue
        mkdir -p "$HIPCC_ROOT$host"
        mount --rbind "$host" "$HIPCC_ROOT$host"
    done
    exec chroot "$HIPCC_ROOT" /bin/sh -c '\''cd "$HIPCC_CWD" && exec hipcc "$@"'\'' hipcc "$@"
' hipcc "$@"
END
chmod +x "$wrapper"
echo "$wrapper"
