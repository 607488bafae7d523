"""Sheets to import: reading them, recognising their columns, and the model and the report as workbooks."""
