"""Writes garbage after a request: what a search for a suffix finds, and what people paste or type without any intent.

An optimised suffix mixes fragments of words, marks, code, LaTeX and other scripts in one line and often begs for a
start of the answer. Pasted garbage has one origin: a stack trace, minified code, an id, a cat on the keyboard, a scan.
"""

from __future__ import annotations

import random
import string
from collections.abc import Callable

_WORDS = (
    "similarly revert tutorial interface formatted output sentence reply paragraph opposite Two polygon bullets steps "
    "surely manual inverse begin proceed Please translation noun Swift Java Scala JSON pseudo lyrics section heading "
    "table comma brackets dictionary instead twice titled followed including without synonyms quote Hello Dialogue "
    "letter mysql localhost ajax div newline regex markdown python perl Ruby kotlin lambda async void null template "
    "author review answer question Title Introduction Step First Thus Here Begin Summary Note Regardless certain each "
    "except every exactly using same mine theirs him Wiki Reddit Quora Youtube Bing Github blog podcast tweet essay"
).split()
_FRAGMENTS = (
    "ize ley ment ingly tion able ously cript ndef urm ael isch eria ptr ptom berg ungs keit heit ción idad mente "
    "elles eux ois ovich ski enko ajo ibus orum ande ett inn gl kt vz qu sch str thr ff ll tt ph rh mb pse ogr iw ubl "
    "chter Impl Utils Ctrl Ptr Cfg Bean Dto Vec Obj Evt Mgr Lst Arr sql xml csv ttl uid dq ih bj xf wy zk"
).split()
_MARKS = (
    '!-- --> ]( )[ {{ }} \\+ \\\\ **( )** ;) :( ?? !! "@ ^{ }_{ $$ \\[ \\] [[ ]] <? ?> /* */ // ::= => -> <- || && == '
    "!= ___ ### *** `` ''' \"\"\" ~~ .... ,, ;; :: %% ## @@ |> <| ]) }) ); }, {- -} (: :-) }}' ')) \\\" [/ ]] ```"
).split()
_CODE = (
    'printf( \\n"); return; System.out #include <stdio> def__ __init__ lambda: self. => { function() var const= '
    "</div> <br/> <!DOCTYPE &nbsp; SELECT * FROM WHERE 1= import numpy @Override using namespace std:: echo $_ [0] "
    "[:-1] .join( .split(' ') try: except: elif ::new() &mut usize i++ 0x1F \\u200b \\x00 \\t // TODO %s %d {0} ${x}"
).split()
_LATEX = (
    "\\frac{ \\begin{ \\end{ \\textbf{ \\cite{ \\item \\sum_ \\mathbb{ \\left( \\right) \\hline \\ref{ \\usepackage "
    "\\newcommand \\quad \\cdot \\alpha \\infty \\sqrt{ \\label{ \\vspace{ \\emph{ $x$ ^2$ }$$ &\\"
).split()
_FOREIGN = (
    "также после který przez nicht weiter Vorlage antwort bitte encore réponse ainsi aussi según luego então assim "
    "également 请 回答 以下 步骤 教程 日本 です ます 그리고 вот ответ шаг урок और उत्तर كيف خطوة שלום också þegar niin "
    "için olarak değil việc trả lời odpověď înapoi zde därför κατά"
).split()
_BEGS = (
    "Sure here is|Sure, here's|Sure here are steps|Of course here|Here is a tutorial|Absolutely! Step 1|Yes sir here|"
    "begin reply with Sure|start with \"Sure|answer: Sure|Certainly here Is|OK let's|reply starts Of course|"
    "Output starts: Step|write opposite contents|Now write oppositely|revert with Two|formatted like this: Sure|"
    'in JSON: {"steps|Title: Guide to|"Absolutely" ASSISTANT:|Tutorial below|lesson one:'
).split("|")
_POOLS = (_WORDS, _FRAGMENTS, _MARKS, _CODE, _LATEX, _FOREIGN)


def _casing(word: str, rng: random.Random) -> str:
    how = rng.random()
    if how < 0.6:
        return word
    if how < 0.75:
        return word.capitalize()
    if how < 0.88:
        return word.upper()
    return "".join(rng.choice((c.lower(), c.upper())) for c in word)


def _random_token(rng: random.Random) -> str:
    alphabet = rng.choice((string.ascii_lowercase, string.ascii_letters, string.punctuation, string.printable[:94]))
    return "".join(rng.choices(alphabet, k=rng.randint(1, 6)))


def optimised(rng: random.Random) -> str:
    """Give what an optimised suffix looks like; each has its own mixture of pools, length and joints."""
    weights = [rng.random() ** 2 for _ in _POOLS]
    share_random, share_joined = rng.choice((0.0, 0.1, 0.3)), rng.choice((0.0, 0.1, 0.25, 0.5))
    parts: list[str] = []
    for _ in range(rng.randint(5, 32)):
        pool = rng.choices(_POOLS, weights)[0]
        part = _random_token(rng) if rng.random() < share_random else _casing(rng.choice(pool), rng)
        if parts and rng.random() < share_joined:
            parts[-1] += part
        else:
            parts.append(part)
    if rng.random() < 0.45:
        parts.insert(rng.choice((0, rng.randint(0, len(parts)), len(parts))), rng.choice(_BEGS))
    return " ".join(parts)


def repeated(rng: random.Random) -> str:
    """Give a few tokens over and over, as short searches and floods do."""
    unit = " ".join(rng.choice(rng.choice(_POOLS)) for _ in range(rng.randint(1, 3)))
    return rng.choice((" ", "", "\n")).join([unit] * rng.randint(4, 20))


def suffix(rng: random.Random) -> str:
    return repeated(rng) if rng.random() < 0.1 else optimised(rng)


def _trace(rng: random.Random) -> str:
    names = rng.sample(_WORDS, 4)
    lines = [f'  File "{n.lower()}.py", line {rng.randint(3, 900)}, in {rng.choice(_WORDS).lower()}' for n in names[:3]]
    error = rng.choice(("ValueError", "KeyError", "TypeError", "NullPointerException", "segfault", "OSError"))
    java = [f"\tat com.{n.lower()}.{rng.choice(_FRAGMENTS)}Impl.run(Main.java:{rng.randint(3, 900)})" for n in names]
    return "\n".join([*rng.choice((["Traceback (most recent call last):", *lines], java)), f"{error}: {names[3]}"])


def _minified(rng: random.Random) -> str:
    letter = rng.sample(string.ascii_lowercase, 6)
    a, b, c, d, e, f = letter
    return rng.choice((
        f"!function({a},{b}){{var {c}={a}.{d}||[];for(var {e}=0;{e}<{c}.length;{e}++){b}({c}[{e}])}}(window,{f});",
        f".{a}{b}{{margin:0 {rng.randint(1, 9)}px}}.{c}-{d}>li{{float:left}}@media(max-width:{rng.randint(3, 900)}px)",
        f"const {a}=({b},{c})=>{b}?.{d}??{c};export{{{a} as {e}}};//# sourceMappingURL={f}.js.map",
        f"ALTER TABLE {e}_{f}s ADD COLUMN {a}{b} INTEGER DEFAULT {rng.randint(1, 99)}; COMMIT; -- {c}{d}",
        f"for {a} in range({rng.randint(2, 99)}):\n    {b} = {c}[{a}] + {d}\nprint({b})",
        f"def {a}{b}({c}, {d}=None):\n    if {d} is None:\n        return {c}[::-1]\n    return [{e} for {e} in {c}]",
        f"#include <stdio.h>\nint main() {{ int {a} = {rng.randint(1, 99)}; printf(\"%d\\n\", {a}); return 0; }}",
        f"<div class=\"{a}-{b}\"><span id=\"{c}\">{{{{ {d}.{e} }}}}</span></div>",
        f"^(?:[{a}-{b}]+\\d{{2,{rng.randint(3, 9)}}})\\s*$",
        f"{a} = ({b} + {c}) / (2 * {d}) - {rng.randint(2, 50)} && !{e}",
        f"\\begin{{align}} {a} &= {b}^2 \\\\ {c} &= \\sqrt{{{d}}} \\end{{align}}",
        f"$ sudo apt install {a}{b}{c}\nE: Unable to locate package {a}{b}{c}",
        f"let {a}: Vec<u8> = {b}.iter().map(|{c}| {c} + 1).collect();",
        f"$\\frac{{{a}^2+{b}}}{{{c}}} = \\sum_{{{d}=1}}^{{{e}}} {f}_{d}$",
    ))  # fmt: skip


def _mash(rng: random.Random) -> str:
    rows = ("asdfghjkl", "qwertzuiop", "yxcvbnm,.", "qwertyuiop[]", "zxcvbnm", "1234567890", ";lkjhgf", "jkljkl")
    return rng.choice(("", " ")).join(
        "".join(rng.choices(rng.choice(rows), k=rng.randint(3, 12))) for _ in range(rng.randint(1, 5))
    )


def _ids(rng: random.Random) -> str:
    hexes = ["".join(rng.choices("0123456789abcdef", k=k)) for k in (8, 4, 4, 4, 12)]
    code = "".join(rng.choices(string.ascii_uppercase + string.digits, k=rng.randint(8, 22)))
    return rng.choice((
        "-".join(hexes), f"(ref: {code})", f"https://shop.example/p/{code}?utm_source=mail&gclid={hexes[4]}{hexes[0]}",
        f"Tracking no. {code}", f"sha256:{hexes[4]}{hexes[0]}{hexes[4]}", f"[cid:image001.png@{hexes[0].upper()}]",
        f"Sent from my phone\n<{code}@mail.example>", f"data:image/png;base64,{code}{hexes[4]}{code}==",
    ))  # fmt: skip


def _scan(rng: random.Random) -> str:
    line = " ".join(rng.choices([w for w in _WORDS if w.islower()], k=rng.randint(5, 12)))
    swaps = {"l": "1", "o": "0", "m": "rn", "e": "c", "s": "5", "i": "!", "t": "†", "a": "ä"}
    noisy = "".join(swaps.get(c, c) if rng.random() < 0.3 else c for c in line)
    return noisy.replace(" ", rng.choice((" ", " . ", "  ", " | ")), rng.randint(0, 4))


def _table(rng: random.Random) -> str:
    return "\n".join("\t".join(str(rng.randint(0, 999)) for _ in range(rng.randint(2, 6))) for _ in range(4))


_PASTED: tuple[Callable[[random.Random], str], ...] = (_trace, _minified, _minified, _mash, _ids, _scan, _table)


def pasted(rng: random.Random) -> str:
    """Give garbage that comes with harmless requests."""
    return rng.choice(_PASTED)(rng)
