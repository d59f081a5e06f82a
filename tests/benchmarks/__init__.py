"""Speed, measured through the product's API on the default settings of bin/up."""
