#!/bin/sh
# Runs the pipeline. The first call sets it up: packages and Terrier's jars go into .venv beside
# this file, kernels are compiled if there is a C compiler, and nothing is fetched after that.
#
#   ./run.sh -i IN -o OUT [-c CONFIG]   one system over one input folder
#   ./run.sh VERB ...                   any verb (./run.sh --help)
#   ./run.sh setup                      only sets up, or repairs what is missing or damaged
#   ./run.sh setup dask optuna slurm    the same, and what these extras need (extras/*.lock)
#
# PIPELINE_VENV     a ready Python environment to use as it is, in place of .venv (the image has one)
# PIPELINE_KERNELS  "numpy" for no kernels in C, or the library to take them from
set -eu

case $0 in
    */*) file=$0 ;;
    *) file=./$0 ;;
esac
while [ -L "$file" ]; do
    link=$(readlink "$file")
    case $link in
        /*) file=$link ;;
        *) file=${file%/*}/$link ;;
    esac
done
root=$(CDPATH='' cd -- "${file%/*}/" && pwd -P)
venv=${PIPELINE_VENV:-$root/.venv}

# The first Python from 3.11 on that can make an environment, else the first from 3.11 on.
find_python() {
    python='' found=''
    for name in python3 python3.14 python3.13 python3.12 python3.11 python; do
        version=$("$name" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) ||
            continue
        found="$found${found:+, }$name is $version"
        case $version in [012].* | 3.[0-9] | 3.10) continue ;; esac
        [ -n "$python" ] || python=$name
        if "$name" -c 'import ensurepip, venv' 2>/dev/null; then
            python=$name
            return
        fi
    done
    [ -z "$python" ] || return 0
    echo "run.sh: no Python from 3.11 on (${found:-there is none at all});" \
        "install one, as python3 or python3.11 on PATH" >&2
    exit 2
}

is_ready() {
    # made from these very files, of which copies are kept in it
    [ -x "$venv/bin/python" ] || return 1
    for source in requirements.lock setup.py pipeline/index/arrays/kernels.c; do
        cmp -s "$root/$source" "$venv/ready/$source" || return 1
    done
    for copy in "$venv"/ready/extras/*.lock; do
        source=$root/extras/${copy##*/}
        [ ! -f "$source" ] || cmp -s "$source" "$copy" || return 1
    done
}

set_up() {
    find_python
    "$python" -I "$root/pipeline/bootstrap.py" "$@" || exit
}

unset PYTHONHOME
export PYTHONPATH="$root"

if [ "${1-}" = setup ]; then
    shift
    if [ -n "${PIPELINE_VENV-}" ]; then
        if [ $# -gt 0 ]; then
            echo "run.sh: setup $*: the environment is PIPELINE_VENV=$venv, used as it is;" \
                "install them there" >&2
            exit 2
        fi
        "$venv/bin/python" -P -m pipeline.download
    else
        set_up --repair "$@"
    fi
    exit
fi
if [ -z "${PIPELINE_VENV-}" ] && ! is_ready; then
    set_up
fi
if [ $# -eq 0 ]; then
    # TIRA may call without a word and give both folders by variables
    if [ -n "${inputDataset-}${TIRA_INPUT_DATASET-}${TIRA_INPUT_DIRECTORY-}" ]; then
        set -- run
    else
        set -- --help
    fi
fi
exec "$venv/bin/python" -P -m pipeline "$@"
