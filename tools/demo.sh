#!/usr/bin/env bash
# Translates every kernel under kernels/ into out/demo with the installed hipify-py and shows the first two. Then hipcc, where
# it is found, compiles them for three GPUs, and they run: on an AMD GPU if there is one, else on the CPU device with waves of
# 32 and of 64 lanes; the outputs are compared with numpy's. Fails if one is not translated, not compiled or not right.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

hipify=.venv/bin/hipify-py
targets=${DEMO_TARGETS:-gfx90a,gfx942,gfx1100}
out=out/demo

rm -rf "$out"
mkdir -p "$out"

failed=0
for source in kernels/*/kernel.cu; do
    name=$(basename "$(dirname "$source")")
    target=$out/$name/kernel.hip
    mkdir -p "$out/$name"
    if ! "$hipify" "$source" -o "$target" >"$out/$name/messages" 2>&1; then
        failed=1
        cat "$out/$name/messages"
    fi
    case $name in add | matmul)
        printf -- '--- %s -> %s\n' "$source" "$target"
        cat "$target"
        echo
        ;;
    esac
    tail -n 1 "$out/$name/messages"
done
echo "The translations are in $out/<kernel>/kernel.hip"
echo

status=0
"$hipify" validate kernels --offload-arch "$targets" --json "$out/report.json" --junit "$out/report.xml" || status=$?
if [ "$status" -eq 2 ]; then echo "The kernels did not run: see above (\`hipify-py doctor\` says what is missing)"; fi
exit $((failed || status))
