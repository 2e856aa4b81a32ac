"""The small default models that ship with routekit, and their card."""
