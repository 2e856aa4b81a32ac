"""routekit inside gateways. Each module needs its own extra; nothing in routekit imports them."""
