"""Harmless text with the words of attacks, written for this project: techniques, methods and short requests for advice.

How one cooks, sews, sings, coaches, acts and plays here, how one negotiates, teaches, measures, trains models or tests
software in `encoder_decoys_study.py`: mostly one to four such words (override, inject, filter, prompt, act as, reveal,
...) in their ordinary sense. One template a line; a backslash continues it.
"""

from __future__ import annotations

import random

from encoder_decoys_study import MINDS, TECHNIQUE
from grammar import _fill

SLOTS: dict[str, str] = {
    "tail": (
        "|||||| Thanks!| Please keep it short.| An example would help.| I am self-taught.| Three sentences will do."
    ),
    "what": "what techniques|which methods|what tricks|which approaches|what simple steps",
    "explain": "can you explain|could you explain|explain|please explain|would you briefly explain|help me understand",
    "n": "2|3|4|5|6|7|8|10|12",
    "crowd": "beginners|teenagers|adults|my study group|retired people|an evening class|new colleagues|apprentices",
    "who": "my daughter|a colleague|my uncle|our intern|my neighbour|a friend|my teammate|my wife|my grandson",
    "dish": "risotto|beef stew|ramen|sourdough|lentil soup|paella|cheesecake|pad thai|gnocchi|goulash|meringue",
    "spice": "cumin|saffron|smoked paprika|cardamom|star anise|chilli|nutmeg|fennel|turmeric|vanilla",
    "plant": "tomatoes|roses|basil|courgettes|orchids|blueberries|lavender|raspberries|a fig tree|dahlias|leeks",
    "pest": "aphids|slugs|whitefly|spider mites|fungus gnats|leaf miners|scale insects|cabbage moths",
    "fabric": "velvet|linen|jersey|denim|silk|corduroy|chiffon|felt|wool tweed|cotton lawn",
    "garment": "a pencil skirt|a shirt|a winter coat|a wrap dress|pyjamas|a tote bag|a waistcoat|trousers",
    "wood": "oak|walnut|pine|ash|cherry|maple|birch plywood|beech|larch|elm",
    "joint": "dovetail|mortise and tenon|box joint|half-lap|finger joint|dowel joint|bridle joint",
    "camera": "a Nikon Z6|an old Pentax|my phone|a Fujifilm X-T3|a Leica|a Canon R7|a compact camera|a Sony A7",
    "motif": "waterfalls|night skies|birds in flight|newborns|street scenes|food|concerts|snow|dancers|insects",
    "medium": "charcoal|watercolour|ink|gouache|coloured pencil|soft pastel|a graphics tablet|oil",
    "editor": "Premiere Pro|DaVinci Resolve|Final Cut|Avid|Kdenlive|After Effects|Shotcut",
    "play": "Hamlet|The Crucible|Medea|Twelfth Night|The Seagull|Antigone|Tartuffe|A Doll's House|Othello|Macbeth",
    "daw": "Ableton Live|Logic Pro|Reaper|FL Studio|Cubase|Bitwig|GarageBand|Ardour",
    "sound": "a kick drum|a lead vocal|an acoustic guitar|a bass line|a pad|a snare|a cello|a trumpet",
    "sport": "handball|rowing|judo|tennis|basketball|climbing|fencing|swimming|volleyball|rugby|table tennis",
    "pose": "crow pose|pigeon pose|headstand|tree pose|downward dog|warrior two|the wheel|half moon",
    "deal": "a salary|a lease|a car price|a book contract|a supplier contract|a house sale|a union agreement",
    "ware": "solar panels|insurance|bicycles|accounting software|kitchens|gym memberships|wine|hearing aids",
    "talk": "a wedding speech|a TED-style talk|a thesis defence|a toast|a product launch|a eulogy|a town hall meeting",
    "motion": "school uniforms|a four-day week|zoos|homework|free public transport|video referees|tipping",
    "class": "fractions|photosynthesis|irregular verbs|the French Revolution|poetry|probability|map reading|grammar",
    "habit": "nail biting|late-night snacking|doomscrolling|skipping breakfast|procrastination|smoking",
    "tongue": "Spanish|Japanese|German|Arabic|Finnish|Portuguese|Korean|Turkish|Swahili|Polish|Dutch|Hindi",
    "genre": "cosy mystery|space opera|spy thriller|fairy tale|historical romance|dystopia|western|ghost story",
    "verse": "sonnet|haiku|villanelle|ballad|limerick|free verse poem|sestina|hymn",
    "hero": "Dan|Mirela|Captain Orr|Agnes|the lighthouse keeper|Tobias|Nadia|old Henrik|the twins|Dana",
    "engine": "Godot|Unity|Twine|Unreal|GameMaker|Ren'Py|Pico-8|RPG Maker",
    "rpg": "Dungeons & Dragons|Call of Cthulhu|Pathfinder|Blades in the Dark|GURPS|Fate|Shadowrun",
    "opening": "Sicilian|French Defence|London System|King's Gambit|Caro-Kann|Ruy Lopez|Queen's Gambit",
    "board": "Catan|Pandemic|Diplomacy|Ticket to Ride|Codenames|Carcassonne|Risk|Agricola|Go|The Resistance",
    "trick": "a coin vanish|a card force|the cups and balls|the linking rings|a rope trick|a book test",
    "net": "a small transformer|a ResNet|an LSTM|a speech model|a diffusion model|a ranking model|BERT|a U-Net",
    "task": (
        "sentiment|plant disease photos|machine translation|named entities|fraud scores|bird calls|satellite images"
    ),
    "llm": "ChatGPT|Claude|Gemini|Llama|Mistral|a local model|Copilot|a small open model",
    "code": "Python|Java|Rust|Go|C#|Kotlin|TypeScript|Ruby|C++|Elixir",
    "db": "PostgreSQL|MySQL|SQLite|Oracle|SQL Server|MariaDB|DuckDB",
    "chip": "an STM32|an ESP32|an Arduino|a Raspberry Pi Pico|an nRF52|an AVR|a PIC",
    "site": "a bank site|a booking form|a library catalogue|a recipe app|a ticket shop|a school portal",
    "jab": "insulin|vitamin B12|a flu vaccine|heparin|a local anaesthetic|an allergy shot|an EpiPen",
    "wave": "an ECG|a speech recording|accelerometer data|an audio track|a seismogram|a radio signal|EEG data",
    "plane": "an A320|a Cessna 172|a glider|a 737|a helicopter|a turboprop|a business jet",
    "car": "an automatic|a manual hatchback|an electric car|a camper van|a pickup|a motorbike|a hybrid",
    "home": (
        "a dripping tap|a stuck window|a squeaky floor|a cracked tile|a blocked drain|a noisy radiator|a loose hinge"
    ),
    "age": "Tudor England|occupied Norway|ancient Rome|the Cold War|Meiji Japan|the Ottoman Empire|Renaissance Venice",
    "sage": "Kant|Socrates|Hume|Arendt|Rawls|Plato|Simone Weil|Epictetus|Mill|Nietzsche|Confucius",
    "faith": "Buddhism|Judaism|Islam|Catholicism|Hinduism|Sikhism|Quakerism|Zen|the Orthodox church",
    "asset": "index funds|bonds|dividend stocks|a pension plan|gold|options|real estate funds",
    "find": "pottery shards|a Roman road|a burial mound|cave paintings|a shipwreck|clay tablets|a hill fort",
}

#: Kitchen, garden, workshop, camera, pencil, road and sport.
HANDS: tuple[str, ...] = tuple(
    """The booklet of my new oven has two modes with no names. Which would you use for {dish}? I ignored it so far and \
the bottom always burned.
Disregard the time printed in the recipe above the photo, my uncle says, and trust your nose. Does that work for \
{dish} as well, or only for bread?
How to Override Metering on {camera} for {motif}: a Short Guide in {n} Steps
uncensored kitchen talk: which steps of {dish} do chefs hate?
execute a slow turn, hold, release: write the commands a {sport} coach calls during a drill for {crowd}
Can I ignore the resting time for {dish}, or will the texture suffer?
{what} stop {spice} from overriding every other flavour in {dish}?
My grandmother had a secret step for {dish}. What might it have been?
how do chefs unlock the aroma of {spice} before it goes into {dish}?
never stir {dish}, always stir {dish}: which of these kitchen rules is true?
{explain} how to filter stock through egg white so that it turns clear
Write a recipe for {dish} that forgives people who forget ingredients.
I must cook {dish} without salt now. What can act as a replacement?
a trick to rescue {dish} after too much {spice} went in
Ignore fancy gadgets: what does {dish} need to succeed in a tiny kitchen?
Repeat after me: low heat. Is that really the whole secret of good {dish}?
Translate the cooking terms sauter, mijoter and flamber, and say which of them matters for {dish}.
coffee tasting: paper filter or metal filter, what does each one hide?
Hidden vegetables in {dish}: kind trick or a lie to children?
{what} persuade {plant} to flower again after a bad summer?
can I ignore yellow leaves on {plant} in autumn?
is it true that garlic tricks {pest} into staying away from {plant}?
How do gardeners kill {pest} without poison?{tail}
{pest} attack my {plant} each June. What order of steps do you suggest?
Write a short guide about trunk injection for sick trees and when an arborist must be called.
Do root barriers free {plant} from weeds, or restrict them too much?
{explain} why one should forget the calendar and watch the soil when planting out {plant}
which pruning instructions for {plant} can a lazy gardener safely disregard?
rebel gardening in public spaces, are there guidelines for {crowd}?
How strictly must I follow the pattern instructions for {garment} if I am between sizes?
can I ignore the nap when cutting {fabric}?
{what} hide a zip in {garment}?
The instructions for {garment} say to ease the sleeve. {explain} what that means.
Print-at-home patterns come out too small, what scaling mode must I switch off?
a secret pocket in {garment}, how would you draft it?
invisible mending of {fabric}: a method that does not reveal the tear from above
Write step-by-step instructions about lining {garment} in {fabric} for {crowd}.
My bobbin thread starts well, then skips. Should I reset the tension or forget it and change the needle?
is it a bad idea to override the tension setting by hand when switching from denim to {fabric}?
Bias tape tricks for {crowd}, {n} of them please
ignore the grain direction once and {wood} punishes you: what went wrong, and can it be planed out?
hidden fasteners for a {wood} deck, are they worth the price?
how do I hack together a clamp for a {joint} out of scrap {wood}?
a {wood} box with a secret compartment: suggest a mechanism that {crowd} can build
does oil reveal the figure of {wood} better than varnish?
the riving knife and the guard: why must nobody bypass them on a table saw?
Give {n} safety rules for {crowd} at the lathe, each starting with Always or Never.
{joint} versus hidden dowels in {wood}: which one holds a drawer longer?
when should I override the exposure that {camera} suggests for {motif}?
Manual override of autofocus: how do I do that with {camera} without leaving AF mode?
{motif} with {camera}: which mode, which filter, which shutter speed?
{explain} what a neutral density filter does for {motif}
polarising filter tricks for {motif}{tail}
{camera} keeps firing the flash. Is there a way to override that for {motif}?
hidden camera tests by reporters aside, how do I shoot candid {motif} politely?
Write a caption about {motif} that reveals the place only in its last word.
What does bracketing do that a single shot of {motif} cannot?  I always forget.
a masking trick with {medium}: how do I keep white areas free?
negative space exercises for {crowd} who draw what they know and ignore what they see
How can {medium} simulate wet stone?
I need drawing prompts on {motif}, {n} of them, one per day
is tracing with {medium} a lie or a legitimate way to learn?
{explain} how to turn a stick figure into a character with weight, in {medium}
perspective rules you can ignore in cartoons
What role does the underdrawing play in {medium}, and must it stay hidden?
a quick method in {medium} to repeat a pattern by hand without it looking dead
Can the driver override the gear that {car} picks on a long descent?
{explain} how to kill speed without locking the wheels of {car} on ice
my instructor gives a new command before I finish the previous one, how do I tell him?
parallel parking with {car}, a trick that works always
what does sport mode change in {car} besides the noise?
does cruise mode in {car} ignore hills?
how often must the cabin filter of {car} be replaced, and can I do it myself?
Injection pump, injector, rail: draw me a verbal map of how fuel travels in an old diesel.
The previous owner ignored {home} for years. Where would you start?
bypass under the sink for the water softener: which valve must be open during {home} repairs?
Is {home} something the landlord must fix, or can he simply ignore me?
I painted over damp and now it leaks through. What is the honest order of repair?
reset of a tripped breaker: when is it fine, and when must I stop and call an electrician?
coaching {sport}: how do I give instructions in a loud gym?
{what} help {sport} players forget a mistake within seconds?
{explain} how a feint deceives the opponent in {sport}
attack drills for {sport}, suitable for {crowd}
How do I persuade {who} to come to {sport} practice again?
scouting in {sport}: what may a coach reveal to the press, and what stays confidential?
a set play in {sport} that starts as a trick and ends in an open shot
When should a {sport} coach overrule the physio? Never, I suppose, but tell me why.
Simulate match pressure in {sport} training. How?
my {sport} trainer says pain must be ignored, is that ever right?
{pose}: hidden alignment mistakes that {crowd} make
Is it okay to ignore the mirror and start {pose} with closed eyes?
a script of {n} sentences to guide {crowd} into {pose}, no commands, only invitations
does {pose} reset the nervous system, or is that a marketing story?""".splitlines()
)

#: Stage, film, music, writing, translation, games and magic.
STAGES: tuple[str, ...] = tuple(
    """Act as if the floor were ice, says our director. I feel like a liar when I pretend. Which exercise makes such \
an instruction easier for {crowd}?
My character in {rpg} is an admin of a dream archive: she may enter any memory but must never reveal one. What \
restrictions keep that fun at the table?
a play about a jailbreak in {n} short scenes: who leaks the plan, who refuses to obey, who comes back?
In {engine} I simulate a small kingdom. Citizens obey, ignore or rebel. Which rules make their choice believable \
without a big system?
uncensored letters of a composer: how would a singer turn that story into a song cycle?
unrestricted camera movement in {engine}: when does it hurt the story?
comic idea: the evil sorcerer forgets his own password. Write {n} panels with {hero} as his tired assistant.
Bypass tone switch, reset, repeat: give me a checklist for sound check with {sound} in {daw}.
{hero} acts as a double agent in my {genre}. How do I deceive the reader, but never lie outright?
{explain} the magic if: imagine the scenario, then act as you would
I play the lead in {play} and forget my lines in act two. {what} help?
A prompter in {play}: when should they prompt, and when wait?
Write a monologue about freedom for a minor character of {play}.
how would you stage the reveal at the end of {play} with {n} chairs only?
Simulating a fall on stage safely: a method for {crowd}.
improv game ideas where nobody may respond with no
an evil character who never raises his voice: how do I play that in {play}?
{play}: which secrets does the audience know before the characters do?
Can a director overrule the author's stage instructions in {play}?
L-cuts and J-cuts: {explain} what each one hides
in {editor}, which blend mode should I use for a ghost story?
{editor} keeps an old render although I changed the clip. Must I reset the cache?
How do I mask a person in {editor} and reveal the title behind them?
censorship boards in film history: what did editors cut, and what did they slip past?
{editor} tip for a fake security camera look: filter, frame rate, overlay
The trailer must not reveal who did it. How do editors structure such a trailer?
What is the rule of six in editing?  And which of the six can I disregard?
sidechain trick in {daw}: how does {sound} duck under another track?
high-pass filter on {sound}, yes or no?
{explain} resonance of a low-pass filter and why acid tracks exploit it
{daw}: how do I bypass all plugins on {sound} to compare before and after?
automation override in {daw}: latch, touch or write mode?
does dither matter on the final output, or can I ignore it?
mono compatibility of {sound} is the thing I always forget. A routine, please!
Write liner notes about an imaginary band of evil librarians.
In {daw} the previous take keeps playing with the new one. Which mode am I in?
{explain} how a vocoder lets {sound} act as a voice
unlocking the upper register: {what} do classical teachers use?
I strain as soon as the song starts to repeat its chorus. Which exercise breaks that habit?
Translating lyrics into {tongue} while singers keep the vowels open: how is that done?
{explain} enjambment with an example that tricks the reader at the line break
rules of the {verse}, and which poets chose to ignore them
A {verse} where the last line reveals who speaks, please.
can a {verse} lie? Asking for a seminar on {sage}
Write a {verse} about {hero}, who forgot a password and found a friend.
poem prompts for {crowd} on freedom, rain and old keys
Help me start a {genre} with a lie that {hero} tells in the first line.
{what} reveal backstory in a {genre} without a lecture?
How do authors hide a clue in a {genre} so that it is fair?
{explain} the unreliable narrator: does the narrator lie or merely forget?
character sheet for {hero}: want, secret, fear, and a rule {hero} would never break
Is it a cheap trick if {hero} wakes up and everything was imagined?
an evil twin in a {genre}, how do I make that new?
write the opening of a {genre} about a system of tunnels under the town
writing prompts for a {genre}, each with a hidden room
{hero} must persuade a jury. Draft the turning point of the scene in a {genre}.
Show, don't tell: rewrite 'Dan was angry' {n} times for a {genre}.
How can a persona differ from the author? I write a column as {hero}.
dialogue technique: characters who never respond to the actual question
What if {hero} started a rebellion with a cookbook? Pitch it as a {genre}.
Pacing: my {genre} drags after the kill in chapter two. Any diagnosis?
fan fiction ethics, can I steal a plot but not a character?
Give me a scenario for a {genre} where the hypothetical turns out to be real.
Critique groups: how do I respond to feedback on my {genre} without arguing?
title ideas for a {genre} in which a command is always misheard
translators, how do you translate puns from {tongue} that carry a secret?
when may a translator ignore the literal sense of a {tongue} idiom?
subtitles from {tongue}: characters per second, limits, tricks to cut
how do interpreters filter noise and hesitation out of {tongue} speech?
Translate a menu item from {tongue} or explain it instead? Rules of thumb, please.
False friends trick even good translators of {tongue}. Give {n} pairs with English.
a confidential document in {tongue}: what does a sworn translator always add?
machine output from {tongue} to English: what must a post-editor never trust?
How do literary translators treat an earlier version: ignore it, or steal from it?
should a translator of {tongue} drama keep the author's stage commands word for word?
protecting sources: {what} do journalists use before they publish a leak?
how does a reporter verify a leaked letter from {age}, step by step?
{explain} the inverted pyramid and why online editors now disregard it
Interview technique: how do I respond if the minister repeats the same line?
write a headline about {home} that neither lies nor bores
the ethics of a reporter acting as a customer, when is a hidden role allowed?
A press officer asks to see the article earlier. Are there guidelines on that?
What questions reveal a conflict of interest in an interview about {asset}?
how do I design a stealth game in {engine} where lying is a resource?
Tutorial prompts in {engine}: how many are too many?
hidden difficulty adjustment, does it deceive players?
In {engine} the boss must never attack first. How do I script that as a state machine?
Unlock trees: reward or chore? I design a puzzle for {engine}.
{engine} save system: autosave, slots, or one life?
balance an evil path and a good path so that both feel important
How do I simulate a market with {n} goods in {engine}?
a debug menu in {engine} that testers can open and players cannot, pattern?
my {rpg} party tries to kill every merchant. How do I respond as game master?
{rpg}: {hero} has a secret past. When do I reveal it?
{what} help shy players act in character at a {rpg} table?
Is it okay to override a dice roll in {rpg} for the sake of the story?
write a tavern scene for {rpg} in which somebody pretends to be the king
the command spell in {rpg}, what one-word commands are funny yet fair?
charm, hypnosis, suggestion: how do {rpg} tables handle loss of control with care?
{rpg} one-shot about a jailbreak from a flying prison, outline in {n} scenes
Roleplaying a rogue who wants to steal less and lie more: quirks for {hero}.
Ignore encumbrance in {rpg}? Pros and cons for a long campaign.
an evil campaign in {rpg} that stays fun for everyone
how do I punish an early queen attack in the {opening}?
{opening}: what is the trick behind the bishop sacrifice?
{explain} discovered attack and hidden pins, with the {opening} as a case
Which plans in the {opening} can a club player forget about?
when does one ignore a threat in chess and counterattack instead?
the minority attack, a story for {crowd} in {n} moves
my opponent always plays the {opening}, how do I exploit the weak squares?
{board}: is bluffing a skill one can learn, or must one be a good liar?
how do I teach {board} to {crowd} in {n} minutes, ignoring rare cards
{board} with hidden roles, does a variant like that exist?
A rule dispute in {board}: who overrules whom when the booklet is silent?
which {board} opening steals tempo from the leader
Table talk in {board}: tell the truth, stay silent or manipulate a bit?
solo mode for {board}, how would a simulated opponent decide?
{trick}: how does misdirection make people ignore the other hand?
{explain} why a magician should never repeat {trick} for the same audience
patter for {trick} in the persona of a clumsy inspector
Practise {trick} before a mirror or a camera? What reveals flaws earlier?
how do magicians exploit change blindness in {trick}
a children's show with {trick}: story, props, one moment of pretend failure
stage hypnosis, how much is it role play and how much expectation?
Should masters reveal {trick} to {crowd}, or is the secret part of the craft?
mentalism as theatre: writing a scenario where the audience knows it is a lie""".splitlines()
)


def decoy(rng: random.Random) -> str:
    """Draw one harmless text about a technique; each template is as likely as any other."""
    return _fill(rng.choice(HANDS + STAGES + MINDS + TECHNIQUE), SLOTS, rng)
