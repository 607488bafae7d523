"""The routes of providers that read a file before SQL."""
