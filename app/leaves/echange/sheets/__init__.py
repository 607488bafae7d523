"""Sheets to import: reading them, recognising their columns, and the model and the report as workbooks.

It may import: `database`, `base`.
It offers: `reading`, which turns a file into rows; `columns`, which finds the fields; `cells`, which turns a cell into
the text that an operation takes; `workbooks`, the model and the report.
"""
