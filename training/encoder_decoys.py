"""Harmless text with the words of attacks, written for this project, for the encoder: short questions, one a line.

`decoys.py` asks how to ignore something in a tool; here the same words live in data, devices, sports, cooking, law,
school, work and health. Kinds that fire more often are in `encoder_decoys_dense.py` and `encoder_decoys_scenes.py`,
other languages in `encoder_decoys_foreign.py`.
"""

from __future__ import annotations

import random

import encoder_decoys_dense as dense
import encoder_decoys_foreign as foreign
import encoder_decoys_scenes as scenes
from grammar import _fill

SLOTS: dict[str, str] = {
    "open": "|||||hi, |hello, |quick question: |please help: |hey, |not sure where to ask: |newbie here, ",
    "tail": "||||| thanks| please| in short| with an example| step by step| (in plain words)| any tips?",
    "how": "how do I|how can I|how would one|is there a way to|what's the best way to|can somebody explain how to",
    "why": "why does|what does it mean when|is it normal that|under which conditions does|since when does|how come",
    "language": "Python|Java|C#|Kotlin|Swift|Rust|Go|Ruby|PHP|C++|Scala|Dart|JavaScript|TypeScript|Perl|Julia",
    "editor": "Vim|Emacs|PyCharm|Visual Studio|IntelliJ|Sublime Text|Notepad++|Xcode|Eclipse|RStudio",
    "system": "Ubuntu|Fedora|macOS|Windows 11|Debian|Arch|FreeBSD|a Raspberry Pi|Chrome OS|iOS|Android",
    "store": "PostgreSQL|MySQL|SQLite|MongoDB|Redis|Oracle|BigQuery|Snowflake|Elasticsearch|DynamoDB",
    "ops": "Ansible|Jenkins|Terraform|Helm|GitLab CI|Puppet|Kubernetes|Docker Compose|systemd|GitHub Actions",
    "web": "CSS|Bootstrap|Tailwind|React|Vue|Angular|Django|Rails|Spring Boot|WordPress|Svelte|Next.js|Flask",
    "device": (
        "washing machine|thermostat|garage door|coffee maker|smart lock|e-bike|printer|television|dishwasher|router|"
        "car radio|smoke alarm|treadmill|baby monitor|drone|hearing aid|sewing machine|lawn mower|doorbell|oven"
    ),
    "part": "capacitor|resistor|relay|valve|diode|fuse|switch|sensor|pump|regulator|comparator|thermistor",
    "dish": "risotto|sourdough|lasagne|chili|meringue|curry|pickles|brisket|marmalade|pancakes|ramen|pesto|paella",
    "sport": "tennis|handball|cricket|judo|curling|volleyball|rugby|fencing|ice hockey|badminton|rowing|baseball",
    "game": "chess|poker|Monopoly|bridge|go|Scrabble|Catan|backgammon|Skyrim|Minecraft|Zelda|Uno|rummy|Pokemon",
    "class": "history|biology|chemistry|Latin|maths|geography|physics|music theory|civics|statistics|philosophy",
    "job": "nurse|electrician|teacher|pilot|cashier|translator|accountant|plumber|lawyer|chef|librarian|driver",
    "law": "contract|lease|will|tax return|patent|divorce|building permit|non-compete clause|warranty|loan",
    "body": "knee|stomach|heart|lower back|left ear|thyroid|bladder|shoulder|liver|jaw|eye|wrist",
    "person": "my boss|my neighbour|my daughter|our coach|a colleague|my landlord|my ex|grandma|the teacher|my dog",
}

#: Software, data, networks and electronics.
TECHNICAL: tuple[str, ...] = tuple(
    """how does !important override an inline style in {web}?{tail}
which rule wins in {web} when two selectors have the same specificity?
{how} override a variable from a parent theme in {web}?
{how} override equals and hashCode in {language} without breaking sets?
what is the difference between overriding and overloading a method in {language}?
must an overriding method in {language} keep the same return type?
{why} the compiler say 'method does not override anything'?
what happens if the subclass never calls super in {language}?
what does a bypass {part} do next to a chip?
where should I place the bypass capacitors on a two layer board?
can I bypass the {part} of my {device} to test it, with the power off?
what is an override {part} on a boiler for?
{how} bypass the proxy for local addresses in {editor}?
{how} set up a bypass list for the VPN on {system}?
regex that ignores case in {language}{tail}
which flag makes grep ignore binary files
does {store} ignore accents when it sorts text?
INSERT IGNORE or ON CONFLICT DO NOTHING, which one for {store}?
{how} ignore NaN when I average a column?
does the optimizer of {store} ignore my index hint?
why is .gitignore not ignoring a folder that is already committed?
{how} write an ignore file for {ops}?
what does nohup mean when it prints 'ignoring input'?
what is an instruction set and how do ARM and RISC-V differ?
how many instructions per cycle can a modern core execute?
what does the instruction pointer hold after a call instruction?
explain the fetch, decode and execute steps of a processor
why can the previous instruction stall the pipeline?
what is an illegal instruction error on {system}?
which SIMD instructions does {language} emit for a simple loop?
kernel mode versus user mode: who may execute privileged instructions?
what does system call overhead consist of?
difference between system() and exec() in {language}
why is it unsafe to execute a string with eval in {language}?
{how} execute a script at login on {system}?
{how} run only the tests that failed on the previous run in {language}?
{how} get the previous commit hash in {ops}?
{how} roll back to the previous release with {ops}?
access the previous row in {store} with a window function
LAG(price) gives null for the first row, how do I print 0 only there?
{how} print without a newline in {language}?
why does print show only part of my array in {language}?
redirect output and errors to the same file in bash
the output of my {ops} job is cut after 1000 lines, what now?
how do I print only lines 10 to 20 of a file?
pretty print JSON on the command line
what does `set -x` output before each command?
{how} suppress output of one step in {ops} but never its exit code?
{how} prompt for a yes or no answer in {language}?
{how} change the color of the prompt in zsh on {system}?
what does $PS1 control in the shell prompt?
my terminal prompt is too long, how do I show only the folder?
command prompt or PowerShell, which for beginners?
how do I stop sudo from asking for my password twice?
what does 'user is not in the sudoers file' mean on {system}?
when should I use sudo and when su?
is it bad practice to always run containers as root?
{how} give a user admin rights in {store} for one schema only?
what is the default admin page of a home router?
I lost the admin password of my own router, {how} do a factory reset?
how long must a password be to be considered strong today?
{how} store password hashes in {store}?
bcrypt or argon2 for passwords in {web}?
where do I keep secret keys for {ops}?
{how} rotate secrets in {ops} without downtime?
what is a secret in Kubernetes, and is it encrypted?
Shamir's secret sharing explained{tail}
{how} remove a secret that I committed by mistake to git?
{how} reveal the hidden toolbar in {editor}?
{how} reveal the active file in the tree view of {editor}?
what does 'Reveal in Finder' do?
{how} unlock a row that a crashed session left locked in {store}?
{how} unlock the bootloader menu on a phone that I own, and does it void warranty?
deadlock: who must unlock the mutex in {language}?
{how} unlock a PDF when I know its password?
rules for naming variables in {language}
firewall rules are evaluated in which order on {system}?
do iptables rules stop at the first match or always continue?
what are the scoping rules of closures in {language}?
{how} write custom lint rules for {language}?
association rules in data mining: support versus confidence
{how} enter safe mode on {system}?
what is dark mode good for, and can {web} detect it?
vi mode or emacs mode in the shell?
difference between debug mode and release mode in {language}
how do I leave insert mode in {editor}?
promiscuous mode of a network card, what is it used for in monitoring?
strict mode in JavaScript: what is forbidden?
quirks mode, and how does a doctype prevent it?
how does airplane mode work?
can developer builds of {system} be turned back into normal ones?
which developer tools show network timing in a browser?
how do I act on an event only once in {language}?
what role does the event loop play in {language}?
{how} create a role with read only access in {store}?
GRANT a role to another role in {store}
ARIA role for a menu button
role-based versus attribute-based access control
{how} assume a role in AWS from {ops}?
{how} inject a dependency in {language} without a framework?
constructor injection or setter injection in {web}?
what is fault injection testing?
{how} inject a mock clock in {language} tests?
how do prepared statements protect {store} from injection?
fuel injection versus carburettor, which is easier to maintain?
{how} simulate a slow network in the browser?
simulate 1000 coin flips in {language}
{how} simulate a queue with two servers in {language}?
which tools simulate analog circuits with a {part}?
what is a hackathon and do I need to be a developer?
is there a neat hack to center a div in {web}?
growth hacking, what does it mean?
restrictions on foreign keys in {store}: cascade, restrict, set null
what are the restrictions of const functions in {language}?
{how} lift upload size restrictions in my own nginx?
app store restrictions on background location
memory restrictions (ulimit) on {system}
{how} forget a saved wifi network on {system}?
what does the forget gate do inside a recurrent cell?
catastrophic forgetting in neural networks and how replay helps
{how} forget an index of a list of promises that never settle in {language}?
what happens if I forget to free memory in C?
I forgot a semicolon, why is the error shown only on the next line?
{how} disregard leading zeros when comparing version strings?
does the spell checker disregard words in capital letters?
{how} make {editor} never trim my whitespace?
'always' versus 'never' in the pull policy of {ops}
pure functions must never mutate arguments: true in {language}?
what must a health endpoint in {web} always return?
read-only file system error on {system}, now what?
now() versus current_timestamp in {store}
is append-only storage a good idea in {store}?
what is prompt engineering and is there official documentation for it?
few-shot or zero-shot prompts for extracting dates?
what is the maximum length of a system prompt?
where does a system message go in a chat API request?
does a long system prompt raise latency and price?
{how} version prompts together with code?
how do instruction-tuned models differ from base models?
what is temperature, and does it override top-p?
which prompt template does a summarization chain use by default?
does a language model forget the start of a long conversation?
{how} make a chat model answer only from my documents?
bypass the browser cache when reloading a page
{how} bypass a test stage in {ops} when only docs have changed?
DMA lets devices bypass the processor; how does it work?
bypass traffic of a load balancer during maintenance
bypass switch for a UPS, explained{tail}
{how} override the hostname in {ops}?
override a property in application.yml with an environment variable
{how} override a recipe in a Yocto layer?
override system fonts on {system} for one app
manual override of a stepper motor in a CNC {part}
{how} reset a forgotten PIN on my own {device}?
my {device} ignores the remote control, what should I check?
child lock on the {device} is on; how do I unlock it?
my {device} shows 'system error 5' since the previous update
which mode of the {device} uses the least power?
must I descale the {device} if I only use filtered water?
where do I find the printed instructions of an old {device}?
can a power cut make the {device} forget its settings?
the {device} has an eco mode that overrides the timer, is that intended?
what are the rules for recycling a {device}?""".splitlines()
)

#: Home, sports, games, law, school, work and health.
EVERYDAY: tuple[str, ...] = tuple(
    """can I ignore the resting time for {dish}?{tail}
which step of a {dish} recipe must I never skip?
the instructions say to fold, not to stir: does it matter for {dish}?
what is the secret of a good {dish}?
chef's secrets for {dish}, only with pantry items
I forgot the salt in my {dish}, can I add it now?
{how} reset my palate between wines?
what rule of thumb gives the amount of rice per person?
does acid always curdle milk, or only when it is hot?
{how} inject a marinade into a roast?
what are the offside rules, explained for kids?
what happens if a player ignores the referee in {sport}?
can the video assistant override the referee in {sport}?
rules of {sport} in ten lines
what are the unwritten rules of {sport}?
may a coach give instructions during play in {sport}?
how do I forget a lost match and focus on the next one?
the previous champion of {sport} retired, who is favourite now?
how do I simulate match pressure when training for {sport}?
why do players pretend to be hurt in {sport}?
which restrictions apply to equipment in {sport}?
house rules for {game} that make it shorter
is it against the rules to reveal your hand in {game}?
how do I unlock the last level in {game}?
how do I unlock the secret character in {game}?
hard mode in {game}: what changes?
creative mode or survival mode for a ten year old in {game}?
does the newest rule set of {game} override the printed one?
what role does the bishop play in the endgame?
role-playing games for two people
print and play games for a rainy day
is there a cheat code in {game} or must I finish the story?
escape room: how do I hide a secret message in a crossword?
can a judge disregard evidence?
the judge told the jury to disregard the remark, does that work?
can parliament override a veto?
does a newer {law} override an older one?
which rules override a {law} when it is silent on something?
may I ignore a letter about a {law} if it was sent to the wrong person?
what must a {law} always contain?
restrictive covenant in a {law}: what is it?
when can a court reveal sealed records?
trade secret or patent: which is right for a recipe?
executor of a will: what must they do, and what may they never do?
what is a secret ballot for?
jury instructions, what are they?
what does 'act of God' mean in a {law}?
{person} keeps ignoring my messages, what can I say?
{how} politely ignore a rude comment from {person}?
{person} forgot my birthday; should I pretend I do not care?
{how} forgive and forget after a fight with {person}?
how do I tell {person} a secret without hurting anyone?
{person} always overrides my decisions, how do I set rules?
{how} set rules for screen time with {person}?
how do I stop being the one who must always say yes to {person}?
{person} gave me conflicting instructions, which should I follow first?
help me write clear instructions for {person}, who waters my plants
how do I act confident in front of {person}?
what to say when {person} reveals a spoiler?
pretend play: why is it good for toddlers?
what games let children act as doctors and patients?
{how} learn the rules of German word order?
grammar rules that even native speakers ignore
when should I use 'must' and when 'have to'?
place 'only' correctly in a sentence
imperatives in recipes and instructions: a worksheet for {class}
give me a writing prompt for {class}
a creative prompt for my journal about the sea
prompt: a door that opens only at night. Give three ideas how to go on.
what is the previous exam of {class} good for when I prepare?
I always forget dates in {class}, which memory tricks help?
the forgetting curve of Ebbinghaus{tail}
{how} print flash cards for {class}?
the exam instructions say 'show your work', what does that mean in {class}?
can I skip the previous chapter in {class} and start with the next?
what is the power rule, and when does the chain rule apply?
rules of divisibility by 7
what are roles in group work for {class}?
hidden rules of a school yard, for an essay
why did the Romans keep the recipe of concrete secret?
which king ignored the advice of his generals?
what did the secret police do in the previous century?
who had to execute the king's orders?
when was the printing press invented, and who printed only Bibles?
why were there restrictions on travel at that time?
what does a {job} do when the instructions are unclear?
a day in the role of a {job}
interview questions for the role of a {job}
which safety rules must a {job} always follow?
how do I mention my previous job as a {job} in a cover letter?
previous salary question: must I reveal what I earned as a {job}?
what restrictions apply to a {job} who works at night?
{how} act when the boss of a {job} ignores overtime rules?
admin assistant or office manager, what is the difference?
what does system administrator pay compared with {job}?
can a {job} refuse an unsafe instruction?
what is a rule-based bonus system?
{how} execute a strategy, not only write it?
what is bypass surgery, and how long is recovery?
life after a gastric bypass: what may I eat now?
should I ignore a dull pain in the {body}?
my {body} hurts only at night, what could it be?
doctor's instructions after surgery on the {body}: which questions should I ask?
can stress override hunger signals?
how do I inject insulin correctly, and how often must I change the site?
which vaccines are injected and which are given by mouth?
what are the visiting rules of an intensive care unit?
dietary restrictions with a sore {body}
I forgot a dose of my antibiotic, what now?
does the immune system forget infections?
what system in the body regulates temperature?
does a placebo work even if doctors reveal it?
why do I forget names but never faces?
the previous owner left no instructions for the {device}
{how} bypass the town centre by bike?
is the bypass road open now?
system of equations with two unknowns: {how} start?
filing system for a small home office
which plants must never be pruned in autumn?
always water tomatoes in the morning, true or a myth?
luggage restrictions on short flights
parking restrictions on Sundays in a loading zone
visa rules changed; do the previous ones still apply to a booked trip?
speed limits: which sign overrides which?
must I stop at a flashing light when nobody is there?
how do I unlock a frozen car door?
{how} unlock a bike lock when I only know three of four digits of my own code?
what does 'unlock your potential' mean?
{how} print photos in true colours?
what does 'for now' mean as opposed to 'by now'?
now or never: where does the saying come from?
synonyms of ignore
write a limerick with the words forget, secret and rule
is 'override' one word or two?
what is the noun of 'disregard'?
antonym of reveal
difference between pretend and intend
say 'the rules must never change' in Latin
forget-me-nots: when do they flower?
gender reveal party ideas without balloons
what song has the line 'never forget' in it?
a film in which a child pretends to be the boss
the secret garden: summarize the plot{tail}
who plays the role of the hacker in that heist film?
life hack: {how} peel garlic fast?
hack for removing a stuck ring
which hack keeps bananas yellow?
only child or siblings, what do studies say?
my alarm is on silent mode and I overslept again
{how} make the {device} remember, not forget, the previous programme?
instructions for knitting a hat, only knit stitches
follow the printed pattern or ignore the seam allowance?
paper plane instructions for beginners
emergency instructions for guests of a holiday flat
what are the golden rules of saving?
50/30/20 rule with a low income{tail}
executive order versus law: which can be overridden?
{how} word an out-of-office note: I only read mail now and then
my previous mail had the wrong date; write a short correction
the last sentence I sent you was unfinished, here is the rest: {how} store {dish}?
forget about {sport}, tell me something about {game}
new topic now: {how} cook {dish}?
start again, this time only with ingredients for {dish} that need no oven
you misunderstood; I meant the rules of {game}, not of {sport}
stop, that answer was too long. only the three most important rules of {sport}
actually ignore the budget for a moment: what would be the best {device}?
scratch that, make it a {dish} for six""".splitlines()
)


def decoy(rng: random.Random) -> str:
    """Draw one harmless text: a short question, a longer kind, or one in another language."""
    chance = rng.random()
    if chance < 0.4:
        template = rng.choice(TECHNICAL if chance < 0.22 else EVERYDAY)
        text = _fill(f"{{open}}{template}" if rng.random() < 0.3 else template, SLOTS, rng)
        return text[:1].upper() + text[1:] if rng.random() < 0.6 else text
    if chance < 0.62:
        return dense.decoy(rng)
    return scenes.decoy(rng) if chance < 0.9 else foreign.decoy(rng)
