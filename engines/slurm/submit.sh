#!/usr/bin/env bash
# Submits a job as a Slurm array: `engines/slurm/submit.sh JOB [options of sbatch]`, and prints the id of the array.
#
# Each task runs as many rows of the manifest as keep the array within Slurm's limit (MaxArraySize, 1001 by default), or more
# if ROWS says so. If you submit again, only shards without a receipt run.
set -euo pipefail

if [ $# -lt 1 ]; then
  echo "usage: [ROWS=N] [THRESHER=PATH] $0 JOB [options of sbatch]" >&2
  exit 2
fi
job=$1
shift
thresher=${THRESHER:-thresher}
if [ -f "$job/manifest.jsonl" ]; then
  total=$(wc -l < "$job/manifest.jsonl")
else
  total=${TOTAL:?the job lies in no folder that is here: say how many rows its manifest has, TOTAL=N}
fi
limit=$(scontrol show config | awk '$1 == "MaxArraySize" { print $3 - 1 }')
least=$(((total + limit - 1) / limit))
rows=${ROWS:-$least}
if [ "$rows" -lt "$least" ]; then
  echo "submit.sh: $total rows in tasks of $rows need an array above the limit of $limit tasks; ROWS=$least is the least" >&2
  exit 2
fi
tasks=$(((total + rows - 1) / rows))
here=$(cd "$(dirname "$0")" && pwd)
exec sbatch --parsable --export="ALL,THRESHER=$thresher" --array="0-$((tasks - 1))" "$@" \
  "$here/thresher.sbatch" "$job" "$rows" "$total"
