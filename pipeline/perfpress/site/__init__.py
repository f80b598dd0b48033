"""What the site shows, as plain data: the only thing that `layouts/` knows of the pipeline."""
