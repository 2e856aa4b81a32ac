"""Policies from configurations of the vLLM Semantic Router.

Read at commit 3d48f8c9cc0d5b15067ce324a03ec6cc25f192c3 of vllm-project/semantic-router (22 August 2026, layout v0.3),
and for the older layouts at 043cee974^ (March 2026) and fa74d0e50^ (November 2025). The guide on it has a table of all
keys.
"""

from routekit.vllm_sr.findings import Translation as Translation
from routekit.vllm_sr.findings import Unmapped as Unmapped
from routekit.vllm_sr.translation import translate as translate
