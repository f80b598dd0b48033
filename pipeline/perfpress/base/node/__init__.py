"""The Node packages as the rest of the pipeline sees them: requests, and jobs run once."""
