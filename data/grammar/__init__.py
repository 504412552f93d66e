"""The grammar that wrote the corpus: English and Chinese side by side, with the word links."""
