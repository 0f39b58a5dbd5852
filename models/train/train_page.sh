#!/bin/sh
# Trains the `page` labeller, from gold to a model folder: one network for each fold, a fit on the pages that each was trained
# without, and the export of the first network, which was trained without the sites that the benchmark holds out (fold 0).
#
#     ./train_page.sh GOLD WORK OUT DATE [LIMIT]
#
# In the environment: PYTHON, the interpreter that has torch; and for trials SEEDS and SETTINGS (JSON). LIMIT: the most pages of a set.
set -eu
GOLD=$1
WORK=$2
OUT=$3
DATE=$4
LIMIT=${5:-}
PYTHON=${PYTHON:-python3}
HERE=$(cd "$(dirname "$0")" && pwd)
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 PYTHONPATH="$HERE${PYTHONPATH:+:$PYTHONPATH}"

script() {
  name=$1
  shift
  "$PYTHON" -m "$name" "$@"
}
features() {
  node "$HERE/../../bin/thresher.js" features --kind page "$@"
}

script page.prepare_pages --gold "$GOLD" --out "$WORK" ${LIMIT:+--limit "$LIMIT"}
features "$WORK/train.jsonl.gz" "$WORK/made.jsonl.gz" -o "$WORK/train"
script page.parity_pages > "$WORK/parity.jsonl"
features "$WORK/parity.jsonl" -o "$WORK/parity"

folds() {
  for fold; do
    # SEEDS is a list.
    # shellcheck disable=SC2086
    script page.train_page --features "$WORK/train" --folds "$fold" --out "$WORK/fold-$fold.pt" \
      --scores "$WORK/fold-$fold.scores.jsonl" --seeds ${SEEDS:-1} --settings "${SETTINGS:-{\}}"
  done
}
# Two processes at a time.
folds 1 3 > "$WORK/folds.log" &
others=$!
folds 0 2 4
wait "$others"
script page.measure_pages --scores "$WORK"/fold-?.scores.jsonl --pages "$WORK/train.jsonl.gz" --fit "$WORK/fit.json"
script page.export_page --checkpoint "$WORK/fold-0.pt" --fit "$WORK/fit.json" \
  --parity "$WORK/parity" --texts "$WORK/parity.jsonl" --out "$OUT" --created "$DATE"

# The type of the page, from the network's judgement and more.
node "$HERE/page/page_clues.js" "$GOLD/pages/wcxb/dev.jsonl.gz" "$GOLD/pages/harvest/pages.jsonl.gz" "$GOLD/pages/atf/pages.jsonl.gz" \
  "$GOLD/pages/mirrors/pages.jsonl.gz" "$GOLD/pages/juriscraper/pages.jsonl.gz" "$GOLD/pages/mercury/pages.jsonl.gz" \
  "$GOLD/pages/waddle/pages.jsonl.gz" > "$WORK/clues.jsonl"
script page.fit_types --scores "$WORK"/fold-?.scores.jsonl --features "$WORK/train" --clues "$WORK/clues.jsonl" --model "$OUT"

# The verdict "nothing here", on pages of many types, each by the network trained without it; then scores of the shipped network on other sets.
script page.prepare_verdict --gold "$GOLD" --out "$WORK" ${LIMIT:+--limit "$LIMIT"}
features "$WORK/verdict.jsonl.gz" -o "$WORK/verdict"
for fold in 0 1 2 3 4; do
  script page.score_pages --checkpoint "$WORK/fold-$fold.pt" --features "$WORK/verdict" --pages "$WORK/verdict.jsonl.gz" --fold "$fold" \
    --out "$WORK/verdict-$fold.scores.jsonl"
done
script page.fit_verdict --scores "$WORK"/verdict-?.scores.jsonl --pages "$WORK/verdict.jsonl.gz" --model "$OUT"
for file in "$WORK"/eval/*.jsonl.gz; do
  node "$HERE/page/score_model.js" "$OUT" "$file" "${file%.jsonl.gz}.scores.jsonl"
done
script page.measure_pages --scores "$WORK"/eval/*.scores.jsonl --pages "$WORK"/eval/*.jsonl.gz --with "$OUT/model.json" \
  --into "$OUT/model.json"
