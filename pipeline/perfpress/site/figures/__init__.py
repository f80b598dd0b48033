"""Charts, flame graphs and cards of pages."""
