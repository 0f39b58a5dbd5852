"""Checks the recipes for Kubernetes and AWS Batch against the schemas of their vendors; raises an error for what is wrong."""

import json
import sys

import botocore.loaders
import botocore.model
import botocore.validate
import kubernetes_validate
import yaml

KUBERNETES = "1.33"


def check_kubernetes(path: str) -> None:
    with open(path, encoding="utf-8") as file:
        kubernetes_validate.validate(yaml.safe_load(file), KUBERNETES, strict=True)


def check_batch(path: str, operation: str) -> None:
    model = botocore.model.ServiceModel(botocore.loaders.Loader().load_service_model("batch", "service-2"))
    shape = model.operation_model(operation).input_shape
    with open(path, encoding="utf-8") as file:
        given = json.load(file)
    errors = botocore.validate.ParamValidator().validate(given, shape)
    if errors.has_errors():
        raise ValueError(f"{path}: {errors.generate_report()}")


if __name__ == "__main__":
    kind, path = sys.argv[1:]
    if kind == "Job":
        check_kubernetes(path)
    else:
        check_batch(path, kind)
