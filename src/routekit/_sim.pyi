from routekit.sim.plain import BatchRules
from routekit.sim.profile import IntArray

def fifo(arrivals: IntArray, services: IntArray, starts: IntArray, n_servers: int, /) -> None: ...
def batch(
    arrivals: IntArray,
    prompts: IntArray,
    outputs: IntArray,
    rows: IntArray,
    servers: IntArray,
    n_servers: int,
    max_waiting: int,
    in_turn: bool,
    rules: BatchRules,
    /,
) -> None: ...
