"""Words before a full stop that may not end a sentence: lower case, without their last full stop.

Collected by hand from common usage. A word that is missing costs one sentence cut in two, nothing else.
"""

from __future__ import annotations

from typing import Final

_BINDING = """
mr mrs ms messrs dr drs prof mt ft gen rep reps sen sens gov hon capt cmdr col lt sgt maj adm brig cpl
cf viz ca approx e.g i.e vs v st
hr hrn fr frl dipl mag bzw evtl ggf inkl sog tel usw vgl z.b d.h mevr mw ir blz bijv bl.a d.v.s dvs f.eks osv t.ex
mgr av bd p.ex sr sra srta srs sres dra dña lic ing arq admón avda ud uds vd vds exmo
dott dott.ssa sig sigg sig.ra sig.na avv geom dna
np tzw tj ul inż hab św ppłk s r napr tzv mudr judr phdr paeddr rndr resp
г-н г-жа им ул пр пл кв т.е т.н т.к напр акад проф доц инж гл реж зам св обл р-н
κ κα κος βλ π.χ δηλ sn doç yrd bkz örn
"""
_NUMERIC = """
mar no nos n° nº nr núm p pp pg pag pág págs s fig figs abb abs eq eqs ref refs vol vols art arts sec secs ch chap ed
eds op par str σελ αρ рис табл стр см ср гл nro vb bv
"""
_OPEN = """
co corp inc ltd llc plc bros jr esq etc ph.d ave blvd rd dept dist est min max misc univ assn assoc
jan feb apr jun jul aug sep sept oct nov dec gmbh kg s.r.l s.p.a ecc eccetera itd itp atd др т.д т.п
"""
_STARTERS = """
A An And As At Being But Did Do Does For Has Have He How However I If In It Let Many Millions More My No On One Our
She So Some That The Their Then There These They This Those Was We Were What When Where Which Who Why Will With Yes
You Your Der Die Das Ein Eine Es Er Sie Wir Ich Il Le Les Un Une Ce Je Nous El Los Las Una Yo Lo Gli Io
"""
_MONTHS = """
Januar Jänner Februar März April Mai Juni Juli August September Oktober November Dezember
January February March May June July October December Quartal Jahrhundert
"""

#: Titles and the like: the name that follows belongs to them.
BINDING: Final = frozenset(_BINDING.split())

#: References: what follows belongs to them when it starts with a digit.
NUMERIC: Final = frozenset(_NUMERIC.split())

#: End a sentence only when the next word is one that usually starts one; so do initials and acronyms.
OPEN: Final = frozenset(_OPEN.split())

#: Words that usually start a sentence.
STARTERS: Final = frozenset(_STARTERS.split())

#: After "12." these are part of a date, not the start of a sentence.
MONTHS: Final = frozenset(_MONTHS.split())
