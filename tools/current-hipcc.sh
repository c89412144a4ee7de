#!/usr/bin/env bash
# tools/current-hipcc.sh FOLDER: a current hipcc for a machine whose own is old, out of a Debian unstable root.
#
# Puts the root (about 1.1 GB) into FOLDER/root and a wrapper to call as hipcc into FOLDER/hipcc, whose path is printed.
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
    mmdebstrap --quiet --variant=apt --include=hipcc,libamdhip64-dev,g++ \
        --aptopt='APT::Install-Recommends "false"' --aptopt='Acquire::Check-Valid-Until "false"' \
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
