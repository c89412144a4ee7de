#!/usr/bin/env bash
# Translates every kernel under kernels/ into out/demo with the installed hipify-py, shows the first two, and compiles
# the results for gfx90a where hipcc is found. Fails if one is not translated or does not compile.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

hipify=.venv/bin/hipify-py
hipcc=${HIPCC:-hipcc}
arch=gfx90a
out=out/demo
have_hipcc=no
if command -v "$hipcc" >/dev/null; then have_hipcc=yes; fi

rm -rf "$out"
mkdir -p "$out"

failed=0
table=()
errors=()
for source in kernels/*/kernel.cu; do
    name=$(basename "$(dirname "$source")")
    target=$out/$name/kernel.hip
    mkdir -p "$out/$name"

    status=0
    "$hipify" "$source" -o "$target" >"$out/$name/messages" 2>&1 || status=$?
    if [ "$status" -ne 0 ]; then
        failed=1
        errors+=("$name: hipify-py ended with status $status: see $out/$name/messages")
    fi

    if [ ! -f "$target" ]; then
        compiled="not translated"
        failed=1
    elif [ "$have_hipcc" = no ]; then
        compiled="-"
    elif HIP_PLATFORM=amd "$hipcc" --offload-arch="$arch" -std=c++17 -w -c "$target" -o "$out/$name/kernel.o" \
        >"$out/$name/hipcc.log" 2>&1; then
        compiled="compiled for $arch"
    else
        compiled="does not compile"
        errors+=("$name: $(grep -m 1 'error:' "$out/$name/hipcc.log" || echo "see $out/$name/hipcc.log")")
        failed=1
    fi
    table+=("$(printf '%-12s%-22s%s' "$name" "$compiled" "$(tail -n 1 "$out/$name/messages" | sed 's/^.*: //')")")

    case $name in add | matmul)
        printf -- '--- %s -> %s\n' "$source" "$target"
        cat "$target"
        echo
        ;;
    esac
done

printf '%-12s%-22s%s\n' kernel hipcc hipify-py
printf '%s\n' "${table[@]}"
echo
if [ ${#errors[@]} -gt 0 ]; then printf '%s\n' "${errors[@]}"; fi
if [ "$have_hipcc" = no ]; then
    echo "$hipcc is not here, so nothing was compiled (make test installs it where it may)"
fi
echo "The results are in $out/<kernel>/kernel.hip"
exit "$failed"
