"""`template.yaml` read as CloudFormation would."""
