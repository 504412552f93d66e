"""What notebooks and labs measure on the translator and its rivals."""
