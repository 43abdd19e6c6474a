"""The model: what the glossary names, as frozen values, complete or not made at all."""
