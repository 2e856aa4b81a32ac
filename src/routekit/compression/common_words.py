"""Words that are one token, with the space before them, in every vocabulary that classifiers use.

The thousand most frequent lower-case English words that are whole in all of 26 vocabularies of 30K to 260K tokens:
WordPiece (BERT), Unigram (XLM-R), SentencePiece BPE (Llama 2, Mistral, Phi 3, Gemma) and byte-level BPE (GPT-2 to
GPT-4o, Llama 3, Qwen, Falcon, DeepSeek, StarCoder, Command R, Claude, Tekken).
"""

from __future__ import annotations

from typing import Final

_WORDS = """
the of and to a in is for that with as you or are not on be it an will by your was from have do any this should at
following which all can because has if about he his information no wrong other would function my code only does but
their me use been one must her when what how prompt its they include who two user each without return answer character
than response into more these had like were most using data question always them time content she then so new first
something state also say between never make up anything system many now there best where output provide after we every
may against out number people before over being rules used file request instructions main man did language human way
clearly him need generate could security such respond given just true likely test order text give work same under help
through write name value act know law based set both woman according right want even our model made string questions
during years cannot while message specific input some illegal above company example day create per action within
different words task key world take much safety list free process power type show explain contract property good error
tell change very am car price object including evidence standard person court get format development ask policy start
understand real result matter own takes policies follow year next three asked found access back current large called
going those end level provided long money form high method class part training program another correct total story
increase owner second normal care life water said enabled raw rate government de home analysis business friend
appropriate knowledge times left go research below complete everything public off cost sentence short social required
city context detailed behavior store light cause role interest down trial original game full natural well legal due
structure small whether clear values share title writing land points across building design users things command
performance days risk school group proper rights configuration line case possible mode present shall common place
files reply pay means handle memory point until needs history changes support nothing break control statement team
known run ignore less told states hidden put issues image tests systems similar project word results single search
rule missing feel contain instead personal previous product amount energy important job completely market terms
created making children hours house advice potential learning see conversation too send service last effect necessary
field others etc explicit study size environment country men style makes unique kind exactly characters expert think
period argument why database might else stop requirements features theory food find path display least student simple
open humans date future experience difference us multiple ability testing body plan conditions shows production goal
wants patient version actions week equal better source reason force management party around purpose blood table unless
upon background application messages local written months old certain students demand later needed add laws machine
details yourself creating claim since check mean still causes space says keep false feedback elements professional
actual random having direct includes subject population past someone internal got slightly focus let available
approach white cases red step tools internet directly vs assistant death become allowed women implement agreement
section provides technical relevant son remember health child saying impact review age play related longer four stay
freedom went term web area services valid visible family gives call types great techniques took face accurate problem
international paid received exist steps handling try office away issue brought financial document doing minutes motion
build costs produce customer quality prevent complex ever love color variable letter positive half average supply
understanding actually requires resources deep groups general avoid exercise negative sure existing additional major
individual please bank low primary pattern working fact nature read accept fully look night physical determine
condition client length options dangerous considered speed already offer address immediately book agent ways
activities tone secret gave tax reference report often pressure logic several network bad levels movie greater various
view prior block recover sample strong perform numbers apply developer documentation black driver anyone room side
page highly decided feet factors skin top critical here position ensure sold respect tool temperature lower rather
sources come outside works failure therefore continue exact month success relationship speech lot summary designed
status allow head target consistent enough identity account inside final third description studies foreign soft events
print hour modern either usage consent event effects setting lines again increased percent blue few members clean
mother implementation methods hand growth feature topic among names expression loss models problems higher itself
remain behind pain strategy opinion external twice community caused together front done taken mass situation private
detail entire authority addition buy neighbor saw activity solution sent moment five ideas expected sale toward core
software practice effective inform drug agreed war scene income basis surface ago video explanation thought dark
further element script weight employee taking rest talk regarding guide special player particular regular placed
course parties password individuals street server purchase intent extremely living sharing decrease module benefits
typical email really claims begin art items little connection fire medical beyond meaning separate reasonable hair
tags labor lost asking responsible decision skills thing countries especially concept phrase trade phone regardless
broken stories cut manner came music themselves sell suit breaking passage flow national media along technology
identify affect helpful attack disease component window digital forget hospital conduct young million match described
live influence algorithm showing accident base mind whole decide comes failed require improve score edge maintain
center parts alternative virtual held reduce associated visual treatment acid running sense fee default useful
significant selection intended lots nor distribution shared once balance exception became maximum remove probably
organization trying parameter secure classes initial travel floor range conflict construction otherwise zero products
limit protection areas consider rates sound quickly shot independent followed describe idea computer tips passed
believe texture providing app notes global leave yet offered choose paper except located cell farm receive friends
limited mobile update
"""

COMMON_WORDS: Final = frozenset(_WORDS.split())
