# Unpack an ARM Debian's Python and the packages of .venv for ARM into build/aarch64, for make
# matrix: sh helpers/workshop/set_up_aarch64.sh [FOLDER]. Nothing is installed on this machine.
# It needs apt and dpkg (Debian, Ubuntu), unzip, 6 GB; and qemu-aarch64 of qemu-user 10 or newer
# (7.2 crashes in matrix products).
set -eu
folder=$(mkdir -p "${1:-build/aarch64}" && cd "${1:-build/aarch64}" && pwd)
python=$(pwd)/.venv/bin/python
cd "$folder"
mkdir -p root site debs lists/partial cache/archives/partial

arm_apt() {  # lists and packages of its own, beside those of this machine
    apt-get -o APT::Architectures::=arm64 -o Dir::State::lists="$folder/lists" \
        -o Dir::Cache="$folder/cache" -o Acquire::Languages=none "$@"
}
arm_apt update
version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
for name in libc6 "libpython$version-stdlib" "libpython$version-minimal" "python$version" \
    "python$version-minimal" libexpat1 zlib1g libssl3 libffi8 libbz2-1.0 liblzma5 libsqlite3-0 \
    libuuid1 libncursesw6 libtinfo6 libreadline8 libgcc-s1 libstdc++6 libgomp1 libcrypt1 libdb5.3 \
    libnsl2 libtirpc3
do
    (cd debs && arm_apt download "$name:arm64")
done
for package in debs/*_arm64.deb; do dpkg -x "$package" root; done

# What the kernel says of itself where torch asks for it, else it complains into a cell.
identity=root/sys/devices/system/cpu/cpu0/regs/identification
mkdir -p $identity && echo 0x00000000413fd0c1 > $identity/midr_el1

platforms="--platform manylinux2014_aarch64"
for glibc in 17 18 24 25 26 27 28; do
    platforms="$platforms --platform manylinux_2_${glibc}_aarch64"
done
arm_pip() { "$python" -m pip --no-input "$@" $platforms --only-binary=:all: --python-version "$version"; }
wanted='^(numpy|matplotlib|ipykernel|pytest|sacrebleu|tensorboard|nbformat|papermill|nbval|sympy'
wanted="$wanted|networkx|jinja2|fsspec|filelock|pypinyin|tokenizers|submitit|typing_extensions)=="
arm_pip install --upgrade --target site $("$python" -m pip list --format freeze | grep -iE "$wanted")
torch=$("$python" -c 'import torch; print(torch.__version__.split("+")[0])')
arm_pip install --upgrade --target site --no-deps "torch==$torch"
# For ARM there may be only the build with CUDA; it does not start without these libraries. They
# share a folder, which pip's --target would replace with each.
# Without triton that build complains into a cell.
needed=$(sed -En 's/^Requires-Dist: ((nvidia-|triton)[^;]*).*/\1/p' \
    site/torch-"$torch"*.dist-info/METADATA | tr -d ' ')
toolkit=$(sed -n 's/^Requires-Dist: cuda-toolkit[^=]*\(==[^;]*\);.*/\1/p' site/torch-"$torch"*/METADATA)
if [ "$toolkit" ]; then
    arm_pip download --no-deps -d wheels "cuda-toolkit$toolkit"
    needed="$needed $(unzip -p wheels/cuda_toolkit*.whl '*/METADATA' | grep -v 'extra == "all"' \
        | grep -E 'cublas|cudart|cufft|cufile|cupti|curand|cusolver|cusparse|nvjitlink|nvrtc|nvtx' \
        | sed -n 's/^Requires-Dist: \(nvidia-[^;[]*\).*/\1/p' | tr -d ' ' | sort -u)"
fi
for name in $needed; do arm_pip download --no-deps -d wheels "$name"; done
for wheel in wheels/nvidia*.whl wheels/triton*.whl; do
    [ -e "$wheel" ] && unzip -qo "$wheel" -d site
done
rm -rf wheels debs lists cache
qemu-aarch64 -cpu neoverse-n1 -L root "root/usr/bin/python$version" -c \
    "import sys; sys.path.insert(0, 'site'); import torch; print('ARM is ready in $folder')"
