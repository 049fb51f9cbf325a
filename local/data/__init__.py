"""Commands on the data folder: imports, the retention sweep and the export of labelled examples."""
