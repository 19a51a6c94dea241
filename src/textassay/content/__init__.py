"""What a text says: ontologies, annotated texts, relevance of content to actions, dependencies."""
