"""The table in the browser: ES modules that need no build step, a style sheet, and the rules."""
