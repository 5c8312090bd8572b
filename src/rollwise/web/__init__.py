"""The web server: pages and a JSON API for solved games."""
