"""How a token was written: an uncased vocabulary forgets it, and names live by it."""

from __future__ import annotations


def letter_case(token: str) -> int:
    """Classify the letters of a token, as the encoder's input ``token_type_ids`` says them.

    Returns
    -------
    0 without an upper-case letter, 1 with only the first one upper-case, 2 with two or more, all upper-case, else 3.

    Examples
    --------
    >>> [letter_case(token) for token in ("smith", "42", "A", "Smith", "NASA", "McDonald", "iPhone")]
    [0, 0, 1, 1, 2, 3, 3]
    """
    uppers = [c.isupper() for c in token if c.isalpha()]
    n_upper = sum(uppers)
    if n_upper < 2:
        return 0 if n_upper == 0 else 1 if uppers[0] else 3
    return 2 if n_upper == len(uppers) else 3
