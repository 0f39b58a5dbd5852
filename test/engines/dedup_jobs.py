"""Finds the duplicates of several jobs in one Spark session: takes lists of arguments as JSON, and prints a code for each."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "engines" / "spark"))

from pyspark.sql import SparkSession
from thresher_dedup import attempt, parse

spark = SparkSession.builder.appName("thresher-dedup").getOrCreate()
codes = [attempt(spark, parse(argv)) for argv in json.loads(sys.argv[1])]
print(json.dumps({"codes": codes}))
spark.stop()
