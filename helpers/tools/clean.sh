# Remove build/ and caches, but for what was trained or swept and the environment: sh clean.sh, in the repository.
[ ! -d build ] || find build -mindepth 1 -maxdepth 1 ! -name 'translator*' ! -name sweep -exec rm -rf {} +
rmdir build 2>/dev/null
find . -path ./.venv -prune -o -type d \( -name __pycache__ -o -name .ipynb_checkpoints \
    -o -name .pytest_cache -o -name .ruff_cache \) -prune -exec rm -rf {} +
for kept in build/translator* build/sweep .venv; do [ ! -e "$kept" ] || echo "Kept: $kept"; done
