"""An interpreter for `template.yaml` that reads it as CloudFormation would."""
