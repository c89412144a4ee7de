#!/usr/bin/env bash
# tools/current-hipcc.sh FOLDER: a current hipcc for a machine whose own is old, out of a Debian unstable root.
#
# Puts the root (about 1.1 GB, the libraries' headers without the libraries included) into FOLDER/root and a wrapper to call as
# hipcc into FOLDER/hipcc, whose path is printed. Takes one to two minutes and about 250 MB of downloads; a second call, none.
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
packages="hipcc,libamdhip64-dev,g++"
libraries="librocthrust-dev libhipcub-dev librocprim-dev librocrand-dev libhiprand-dev librocblas-dev libhipblas-dev
    libhipblas-common-dev libhipblaslt-dev libhipfft-dev librocfft-dev libhipsparse-dev librocsparse-dev libhipsolver-dev
    librocsolver-dev libmiopen-dev librccl-dev libroctx-dev librocm-smi-dev"

# One call at a time: a root in the making has the host's /sys mounted in it, which no other call may remove.
exec 9>"$folder/lock"
flock 9

# A root appears under its name when it is whole, and says what it was made of: one of another list is made anew.
if [ "$(cat "$root/made-of" 2>/dev/null)" != "$packages $libraries" ]; then
    [ "$(id -u)" -eq 0 ] || die "making a root needs root"
    command -v mmdebstrap >/dev/null || die "mmdebstrap is missing: apt-get install mmdebstrap"
    # shellcheck disable=SC2016  # apt's own placeholder
    mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | grep -v security | head -n 1)
    [ -n "$mirror" ] || die "apt names no mirror: run apt-get update first"
    new=$folder/new
    rm -rf --one-file-system "$new" "$root"
    # The headers are 31 MB; installing the packages would bring 10 GB of libraries with them.
    unpack="cd /tmp && apt-get -q download $(tr -s "[:space:]" " " <<<"$libraries")
        for each in *.deb; do dpkg -x \$each /; done
        rm -f *.deb"
    mmdebstrap --quiet --variant=apt --include="$packages" \
        --aptopt='APT::Install-Recommends "false"' --aptopt='Acquire::Check-Valid-Until "false"' \
        --customize-hook="chroot \"\$1\" sh -ec '$unpack' >&2" \
        sid "$new" "$mirror" >&2
    [ -x "$new/usr/bin/hipcc" ] || die "the root has no hipcc: Debian unstable may be broken today"
    printf '%s' "$packages $libraries" >"$new/made-of"
    mv "$new" "$root"
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
