"""Harmless technical text with the words of attacks, written for this project: machines, science and language models.

Valves and interlocks, simulators and robots, games and virtual worlds as software, how models learn and forget, and
assistants as products that somebody builds, tests and protects. One template a line; a backslash continues it.
"""

from __future__ import annotations

import random

from grammar import _fill

SLOTS: dict[str, str] = {
    "tail": "||||| Thanks!| Please be brief.| With an example, please.| I am a beginner.| One paragraph is enough.",
    "how": "how do I|how can I|what is the right way to|is it possible to|how would you|what is the usual way to",
    "br": "\n",
    "n": "2|3|4|5|6|8|10|12|20",
    "plant": (
        "a boiler|a heat pump|a wind turbine|a pump station|a paper mill|a robot cell|a lift|a wave power plant|a kiln|"
        "a cooling tower|a CNC mill|an MRI scanner|a ski lift|a bakery oven|an aquarium|a greenhouse|a car wash"
    ),
    "valve": "bypass valve|pressure relief valve|check valve|three-way valve|solenoid valve|blow-off valve|wastegate",
    "part": "capacitor|resistor|relay|diode|fuse|switch|transistor|optocoupler|choke|regulator|jumper",
    "car": "a diesel van|an old Golf|a motorbike|a hybrid|a tractor|a rally car|an electric scooter|a camper",
    "chip": "an ESP32|an Arduino|a Cortex-M4|a RISC-V core|an FPGA|a PIC|an old Z80|a DSP|a PLC",
    "robot": (
        "a vacuum robot|a warehouse robot|a line follower|a quadcopter|a robot arm|a lawn robot|a humanoid|"
        "an underwater drone|a delivery robot|a milking robot|a rover"
    ),
    "sensor": "lidar|ultrasonic sensor|bumper|gyroscope|camera|GPS|encoder|thermocouple|pressure sensor|light barrier",
    "sim": (
        "flight simulator|traffic simulator|circuit simulator|weather model|crowd simulator|ship bridge simulator|"
        "network simulator|crash simulator|surgery simulator|Monte Carlo simulation|train simulator|SPICE"
    ),
    "engine": "Unity|Godot|Unreal|RPG Maker|GameMaker|Bevy|Roblox Studio|Source|Pygame|Phaser",
    "game": "Minecraft|Skyrim|Factorio|Stardew Valley|Cities Skylines|The Sims|Doom|RimWorld|Terraria|Civilization",
    "vr": "a VR museum|a VR classroom|a virtual concert|a VR climbing app|a metaverse office|a VR chat world",
    "net": (
        "a small CNN|a transformer|an LSTM|a ResNet|a language model|a speech recogniser|a ranking model|a GAN|"
        "a diffusion model|a graph network|an image classifier|a time series model"
    ),
    "trick": "dropout|rehearsal|weight decay|early stopping|distillation|LoRA|a replay buffer|label smoothing",
    "task": "sentiment|machine translation|object detection|named entities|speech|credit scoring|digit recognition",
    "bot": (
        "our shop bot|my homework bot|the help desk assistant|a museum chatbot|our HR assistant|a voice assistant|"
        "my recipe bot|the bank's chat assistant|a coding assistant|my Discord bot|our triage agent|a tutor bot"
    ),
    "llm": "GPT-4o|Claude|Llama 3|Mistral|Gemini|Qwen|a small local model|Phi|Gemma|an open model|DeepSeek",
    "tool": "LangChain|LlamaIndex|a RAG pipeline|the chat API|Ollama|vLLM|Rasa|Copilot Studio|Haystack|DSPy",
    "style": "short sentences|French only|bullet points|JSON|a friendly tone|metric units|no emojis|citations",
    "crowd": "pupils|managers|parents|new developers|lawyers|nurses|auditors|a podcast|first-year students",
    "attack": "prompt injection|indirect prompt injection|jailbreaks|prompt leaking|data poisoning|evasion attacks",
    "guard": (
        "an input filter|a guard model|an allow list of tools|output checks|a canary token|human approval|"
        "least privilege for tools|instruction hierarchy|rate limits|a sandbox for code"
    ),
}

#: Plants, circuits, vehicles, processors, robots and simulators.
MACHINES: tuple[str, ...] = tuple(
    """what does the {valve} of {plant} do when the operator selects manual override?{tail}
{how} size a {valve} so that the pump of {plant} never runs dry in bypass mode?
Why is there a bypass line around the filter of {plant}, and who may open it?
is a bypass filter better than a full-flow filter for {car}?
the {valve} of {plant} is stuck in bypass, which system alarm should I expect?
safety interlocks of {plant}: why must nobody override them, and how do they fail?
A key switch lets service staff override an interlock at {plant}. Which rules apply, and for how long?
which standard says who may bypass a safety function of {plant} during maintenance?
write a permit form for a temporary bypass of a {sensor} at {plant}: reason, risk, time limit, reset.
does an emergency stop override every other command of {plant}?
lockout and tagout at {plant}: who may unlock, and what if someone forgets the key?
control logic of {plant}: priority of manual, automatic and override mode in {n} sentences
Cascade control: when should an override controller take over at {plant}?
{how} simulate a stuck {valve} for training without the real plant?
where does a bypass {part} belong, and what happens if I forget it?
bypass capacitor or bulk capacitor: which frequencies does each ignore?
{how} choose a decoupling {part} for {chip}?
can I ignore the ESR of a {part} in this filter?
In my schematic a {part} bypasses the emitter resistor. What gain do I get, and what do I lose?
bypass diodes in a solar panel: what happens to a shaded cell?
my guitar pedal is true bypass, yet the sound changes; which {part} is to blame?
Passive filter: second order, {n} kHz. May I ignore the load?{tail}
{chip}: {how} ignore bounce of a switch without a hardware filter?
{chip}: a pin ignores my pull-up, does an internal setting override it?
{chip} resets itself when the relay switches; what did I forget to bypass?
which boot mode pins override the flash on {chip}?
read-out protection of {chip}: what does unlocking erase?
{how} inject a test signal into the loop of a power supply to measure its phase margin?
injection moulding: what causes sink marks, and which rules set wall thickness?
injection moulding machine: hold pressure, cooling, eject; where do I simulate the flow?
Injection locking of an oscillator explained{tail}
direct fuel injection versus port injection for {car}{tail}
{car}: fuel injection system resets its trims after the battery was off, normal?
the engine control of {car} ignores the lambda sensor while cold. Which rule decides that?
{car} goes into limp mode; which faults may it ignore and which not?
{car}: is there a legal rule against a bypass of the particle filter, and what do inspectors check?
EGR valve versus bypass flap in {car}: {how} tell which is stuck?
immobiliser of {car} does not recognise my second key, what will a dealer need to unlock it?
cruise control of {car}: does the brake always override it?
which steering input makes the lane assistant of {car} give up its override?
autopilot of an airliner: how do pilots override it, and what alarm do they hear?
fly-by-wire: normal law, alternate law, direct law; which restrictions vanish in which mode?
train protection: when may a driver override a stop signal, and who has to give the order?
{robot} ignores its {sensor} in sunlight, what can I change?
Why would {robot} ignore the {sensor} although the driver prints correct values?
{robot}: {how} fuse {sensor} and {sensor}, and disregard outliers?
Kalman filter for {robot}: when does it forget old measurements, and what is a forgetting factor?
behaviour tree or subsumption for {robot}: which layer overrides which?
Asimov's rules in practice: does {robot} have any hard restrictions in code?
teach pendant of {robot}: deadman switch, override speed in percent, reset. Please explain.
what does 'speed override 30 %' mean on a robot controller or {chip}?
G-code: feed override, block skip, optional stop; which lines does the controller ignore?
potential fields: {robot} gets stuck, {how} escape a local minimum?
{robot} pretends to be charged, but dies after {n} minutes; is the battery gauge lying?
{how} simulate {robot} in Gazebo, with a broken {sensor} injected at a random time?
fault injection for {chip}: {how} flip bits in a simulator, and which results count as safe?
single event upsets: can a satellite ignore a flipped instruction?
watchdog of {chip}: what if the code forgets to feed it in debug mode?
DMA on {chip}: which bus rules let it bypass the cache, and when must I invalidate?
supervisor mode on {chip}: which instructions are restricted?
privilege levels of {chip}: {how} switch from user mode to machine mode in a legal way?
undocumented instructions of old processors: why did games exploit them?
{chip}: instruction prefetch reads past the end of flash, harmless or not?
{sim}: {how} reset the random seed so that each run gives the same output?
{sim}: may I ignore friction for a first model?
our {sim} ignores wind above {n} m/s because of a hidden limit, where do I look?
what does the instructor station of a {sim} let you override or inject?
validate a {sim}: which rules tell that it does not just pretend to be right?
{sim} in the browser: {how} unlock the frame rate?
write requirements for a {sim} with roles (admin, trainer, trainee) and their restrictions.
what do reviewers say if a {sim} ignores turbulence? It is for my thesis.
DNA repair: how do cells escape a checkpoint, and which protein overrides the stop?
how do viruses inject their genome, explained for {crowd}
how do tumours evade the immune system? Please, {n} key terms.
gene drive: does it break the rules of inheritance?
selection rules in spectroscopy: what are forbidden transitions, and why do we still see them?
In chemistry, may I ignore x in the denominator by the five percent rule?
Hund's rule, Pauli's principle and exceptions: which overrides which?
escape velocity: may I ignore the atmosphere?
the octet rule and molecules that ignore it{tail}
gas bypass in a fluidised bed: what is it, and what do baffles do?
coronary bypass in a flow simulation: {how} set the boundary conditions?
elevator algorithm: {how} give a fire override absolute priority?
smart thermostat API: {how} set a temporary override and then forget it?
alarm system of my shop: {how} bypass one zone with an open window overnight, as the manual mentions?
a KNX actuator has 'forced operation'; does it override scenes?
DALI lights ignore the dimmer, which address did I forget?
{how} restrict the torque of {robot} so that it is safe near {crowd}?""".splitlines()
)

#: Games and virtual worlds as software, and models that learn.
MODELS: tuple[str, ...] = tuple(
    """{how} override a texture of {game} with my own mod?
which mod wins if two mods of {game} override the same file?
{game} ignores my mod although the folder is right, does load order matter?
{game}: are mods that unlock all recipes against the rules of a private server?
{how} enable the console or debug mode in {game} for a single-player world?
{game}: what does creative or god mode turn off?
admin commands of my own {game} server: {how} give a friend a moderator role only?
{game} server rules for {n} kids: griefing, secrets, bans and a way to appeal
is an exploit in {game} cheating if the developers ignore it? A debate for two speakers, please.
{how} reset forgotten villagers in {game} without a new world?
speedrunners exploit a bug in {game}; how does the skip work, roughly?
NPCs in {engine} ignore the player, which mask or layer did I forget?
{how} override the physics of one object in {engine}?
{engine}: collision filter ignores the ground after I change the layer mask
{engine}: {how} make a hidden door that unlocks after {n} switches?
{engine}: a dialog system with rules: forget, remember, and reveal a secret
{how} write NPCs in {engine} that pretend not to see the player?
permission system for {vr}: guest, host, admin. Which actions need a prompt?
{vr}: {how} restrict who can teleport, and let moderators override it?
{vr}: what should happen when a user ignores the boundary of the room?
rules of conduct for {vr}, with roles and what moderators may never do
in {vr} hands ignore the table; which physics layer is the culprit?
describe the system architecture of {vr} in {n} steps, from login prompt to exit
catastrophic forgetting in {net}: does {trick} help?{tail}
why does {net} forget the first task when I fine-tune on {task}?
{how} make {net} forget one person's data without a full retraining?
machine unlearning: what must {net} forget, and {how} test that it did?
memory unlearning versus filtering outputs: which one really forgets?
does {trick} prevent {net} from exploiting a shortcut in {task}?
{net} ignores rare classes in {task}; class weights or resampling?
my {net} ignores the prompt tokens in the middle; is that the known position effect?
{how} evade overfitting with {trick} on a tiny set for {task}?
hidden layers: what do they hide, and {how} inspect them in {net}?
are hidden layers a secret even to the developers of {net}?
attention mask: which tokens does {net} ignore, and {how} override the mask?
ignore_index in the loss: {how} make {net} disregard padding?
{how} ignore NaN losses in {net} without hiding a real bug?
gradient clipping: does it restrict {net} or only the step?
forced alignment of speech and text: which tool, and does it ignore pauses?
teacher forcing, exposure bias: does {net} forget its own errors?
adversarial training for {net}: {how} generate examples, and how much accuracy do I lose on {task}?
adversarial patches: why does {net} ignore the rest of the picture? explain it to {crowd}
instruction tuning versus pretraining for {net}: what changes?
instruction tuning of {llm} for {task}: {how} write {n} instructions that do not all sound alike?
does instruction tuning make {llm} forget facts?
RLHF, DPO, system prompts: which one restricts the behaviour of {llm} for good, and which only for one chat?
reward hacking: why does {net} exploit the simulator instead of learning to walk?
reward hacking stories for {crowd}: {n} funny cases where an agent followed the rules to the letter
{net} in a simulated world: {how} move from simulator to reality without forgetting?
simulated annealing: accept a worse state, escape, cool down; what is the acceptance rule?
tabu search: which moves are forbidden, and when does an aspiration rule override the tabu?
association rules for {task}: which rules can I ignore?
fuzzy logic: {how} write rules that override each other softly?
expert systems versus {net}: who can reveal why a decision was made?
forget gate, input gate, output gate: what does each do to memory in {net}?
DAN stands for domain-adversarial network here: {how} train one for {task}?
Deep averaging networks (DAN) for {task}: do they ignore word order?
my colleague Dan is in developer mode all day: a limerick about it, please
role models in tech: name {n}, and what rules did they break?
{net} for spam: {how} keep it from being evaded by misspelled words?
anomaly filter for {task}: which readings should the model disregard, and who decides?""".splitlines()
)

#: Assistants as products: prompts one writes, attacks as a topic, defence.
ASSISTANTS: tuple[str, ...] = tuple(
    """{how} write a system prompt for {bot} that asks for {style}?
{bot} ignores its system prompt after {n} turns, what can I change?
does a user message override the system prompt in {tool}, or the other way round?
in {tool}, where do I put rules so that {llm} does not forget them?
what is a system prompt, explained for {crowd}?
is it normal that {llm} ignores half of my instructions when the prompt is long?
{how} make {llm} always answer with {style} in {tool}?
{llm} breaks character in my role-play tutor; {how} phrase its role?
prompt engineering for {bot}: role, rules, examples, output. In which order?
{how} test a new prompt of {bot} against the previous one?
{how} store prompts of {bot}: in code, in a file, or in an admin dashboard?
{tool}: {how} override the default prompt template?
{tool} prints the whole prompt in debug mode, {how} hide secrets there?
which restrictions should {bot} have when it can send mail?
permission system for the tools of {bot}: {how} prompt the user before it deletes a file?
{bot} should pretend to be a customer so that new staff can practise. Draft the prompt with {n} rules.
Our legal team wants {bot} to ignore questions on politics. Write a polite reply it could give.
{bot} filters too much: harmless words like 'kill the process' get blocked. {how} tune the filter?
{bot} refuses to talk about jailbreaking phones as a topic; is the filter too strict?
why do guardrails fire on words such as ignore, bypass and override in technical questions?
{how} measure false alarms of a jailbreak detector for {bot}?
collect {n} harmless sentences with the words ignore, prompt and system to test a detector
how do guardrails of {llm} work, in words for {crowd}?
guardrails: input filter, model, output filter. What does each catch?
what is {attack}, and how is it different from SQL injection?{tail}
what is {attack}? Explain it to {crowd} without any working example.
{how} defend {bot} against {attack}?
does {guard} help against {attack}, or is it easy to get wrong?
Compare {guard} and {guard} as a defence of {bot} against {attack}.
{attack}: who is at risk, and what should {bot} do when it sees one?
lesson plan on {attack} for {crowd}: {n} parts, one exercise on defence
{how} explain {attack} to {crowd} with a story about a forged letter?
we red-team {bot} next week: which roles, rules and report format do we need?
red-teaming {llm} as a job: what does such a team do all day, and how is it trained?
what should a bug report about a jailbreak of {bot} contain, and who may read it?
incident: {bot} leaked an internal prompt. Draft a calm message to customers and {n} next steps.
policy: may developers of {bot} log user prompts, and when must the system forget them?
does {llm} remember previous chats, or does it forget everything after a reset?
memory of {bot}: {how} let users see, edit and delete what it remembers?
{how} stop {bot} from treating text in an uploaded file as instructions?
retrieved pages may contain instructions. {how} mark them as data in {tool}?
should an agent execute code that {llm} wrote outside of a sandbox?
{how} sandbox code of {bot} so that it has no network and no root?
agent with a browser: which actions need approval, and can an admin override it?
instruction hierarchy: system, developer, user, tool. Which may override which, and why?
'developer mode' of {llm}: is there an official one, or is it an internet myth?
where does the name DAN in chatbot news come from, and why did it stop working?
history of jailbreaks of chatbots for {crowd}, only the idea and the defence
research ethics: may I publish a list of {attack}? Which rules do venues have?
what did the early papers on {attack} find, and what defences did they test?
summarise the difference between jailbreak, prompt injection and prompt leaking in a table
are uncensored models a risk for companies? Arguments of both sides, {n} each.
does fine-tuning on {task} weaken the safety rules of {llm}, as papers report?
content filter of {tool}: severity levels, thresholds, and an override for medical texts
{how} rotate the secret key of {bot} without downtime?
token limit of {llm}: which part of the prompt is dropped and forgotten first?
{llm} repeats the instruction instead of executing it; a template error?
special tokens: {how} escape them if a user types one in {tool}?
{how} simulate {n} hundred users with different roles to test {bot}?
the previous version of {bot} obeyed the output format, the new one ignores it. {how} debug it?
Review my prompt for {bot}: "You answer questions on opening hours. Use {style}. If you do not know, say so." \
Did I forget a rule?
System prompt of {bot}, first draft:{br}- Greet the user.{br}- Use {style}.{br}- Never guess prices.{br}Is anything \
unclear, or does one rule override another?
I maintain {bot} with {tool} and {llm}. Users complain that it forgets what they said {n} messages before, and that \
it ignores the rule on {style}. Is that the prompt, the memory, or the model?
For a talk to {crowd} I need a slide on {attack}: one definition, one harmless picture, {n} defences, no payloads.
Our auditor asks whether {guard} could be bypassed and who may override it. Help me write an honest answer for {bot}.
A blog says that {llm} has a hidden mode without restrictions. Is there any truth in that? I want to correct it for \
{crowd}.
We give {bot} three roles: user, moderator, admin. Only admins see the prompt and the logs. What is \
missing?""".splitlines()
)


def decoy(rng: random.Random) -> str:
    """Draw one harmless text about machines, models or assistants."""
    kinds = (MACHINES, MODELS, ASSISTANTS)
    return _fill(rng.choice(rng.choices(kinds, weights=(35, 30, 35))[0]), SLOTS, rng)
