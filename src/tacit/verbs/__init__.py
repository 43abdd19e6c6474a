"""The verbs of the façade, by what they are about; `app.py` puts them on one page."""
