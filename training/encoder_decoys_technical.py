"""Harmless technical text in which words of attacks stand close together, written for this project.

Most templates hold two to five such words (ignore, bypass, override, prompt, jailbreak, inject, restrictions, ...) in
their ordinary technical sense: here in software and operations, one template a line; a backslash continues it. Other
kinds are in `encoder_decoys_machines.py`, `encoder_decoys_crowded.py`, `encoder_decoys_polite.py`,
`encoder_decoys_life.py` and `encoder_decoys_craft.py`, other languages in `encoder_decoys_tongues.py`.
"""

from __future__ import annotations

import random

import encoder_decoys_craft as craft
import encoder_decoys_crowded as crowded
import encoder_decoys_life as life
import encoder_decoys_machines as machines
import encoder_decoys_polite as polite
import encoder_decoys_tongues as tongues
from grammar import _fill

SLOTS: dict[str, str] = {
    "open": "||||hi all, |hello, |quick one: |newbie question: |maybe a silly question, but |for a lecture: |",
    "tail": "||||| Thanks!| Please be brief.| A short example would help.| Explain it step by step.| Any pitfalls?",
    "how": "how do I|how can I|what is the right way to|is it possible to|how would you|what is the cleanest way to",
    "language": "Python|Java|C#|Kotlin|Swift|Rust|Go|Ruby|PHP|C++|Scala|Dart|TypeScript|Haskell|Elixir|Fortran",
    "linter": "ESLint|pylint|Clippy|SonarQube|RuboCop|golangci-lint|mypy|Checkstyle|clang-tidy|stylelint",
    "web": "React|Vue|Angular|Django|Rails|Laravel|Spring|Flask|Svelte|Next.js|ASP.NET|WordPress|FastAPI",
    "style": "Tailwind|Bootstrap|plain CSS|Sass|Material UI|styled-components|a WordPress theme|a Shopify theme",
    "store": "PostgreSQL|MySQL|SQLite|MongoDB|Redis|Oracle|BigQuery|Snowflake|SQL Server|DuckDB|Cassandra",
    "ops": "Ansible|Jenkins|Terraform|Helm|GitLab CI|Kubernetes|Docker Compose|GitHub Actions|Nomad|Argo CD|Pulumi",
    "os": "Ubuntu|Fedora|macOS|Windows 11|Debian|Arch|FreeBSD|my Raspberry Pi|Chrome OS|Alpine|openSUSE",
    "shell": "bash|zsh|fish|PowerShell|tcsh|the Windows command line|nushell",
    "browser": "Firefox|Chrome|Safari|Edge|Brave|Vivaldi",
    "mail": "Gmail|Outlook|Postfix|Thunderbird|our Exchange server|Proton Mail|SpamAssassin|rspamd",
    "firewall": "iptables|nftables|pf|ufw|Windows Defender Firewall|a FortiGate|an OPNsense box|AWS security groups",
    "sheet": "Excel|Google Sheets|LibreOffice Calc|Numbers|Airtable|a pivot table",
    "phone": "an old iPhone|a Pixel|a Fairphone|a Samsung tablet|a OnePlus|an e-reader|an Android TV box",
    "file": "config.yaml|.env|settings.json|Makefile|pom.xml|app.ini|tsconfig.json|pyproject.toml|nginx.conf",
    "folder": "node_modules|build|.venv|dist|logs|__pycache__|target|coverage|.idea|tmp",
    "cell": "B7|column C|the header row|the total|D2:D90|the last sheet|a named range",
    "idp": "Keycloak|Okta|Auth0|Active Directory|LDAP|Entra ID|Cognito|Authelia",
    "vault": "HashiCorp Vault|AWS Secrets Manager|sealed secrets|SOPS|1Password|Azure Key Vault|Docker secrets",
    "role": "viewer|editor|auditor|billing|support|moderator|guest|operator|maintainer",
    "warning": "unused variable|deprecated call|implicit cast|missing docstring|line too long|shadowed name|dead code",
    "n": "2|3|4|5|6|8|10|12|20",
}

#: Languages, compilers, style sheets, shells and version control.
CODE: tuple[str, ...] = tuple(
    """which pragma makes the compiler ignore the {warning} warning for a single line?{tail}
{how} tell {linter} to ignore one rule in generated code only?
{linter} ignores my override in the child folder; which config wins?
{linter}: can a later rule override an ignore pattern of an earlier one?
# type: ignore versus # noqa, what does each one suppress and which rules does it bypass?
is it bad style to ignore a {warning} warning that {linter} prints on every commit?
{how} disable the rule about {warning} in {linter} without a global override?
does a commit hook of {linter} get bypassed by --no-verify, and {how} enforce the rules in {ops} instead?
my .gitignore does not ignore {folder}, although the rule is there. What overrides it?
{how} force git to track one file inside {folder} that an ignore rule excludes?
git forgets nothing: {how} remove {file} with a secret from the whole history?
what does git update-index --assume-unchanged ignore that .gitignore does not?
can a nested .dockerignore override the rules of the one in the root?
{how} make the search of my editor ignore hidden files and {folder}?
does rsync --exclude ignore hidden files such as {file}?
which files does npm publish ignore, and does the files field override .npmignore?
override keyword in {language}: is it optional, and what does the compiler say if I forget it?
{how} override a private method of a base class in {language}, or is that forbidden by design?
Overriding versus hiding a static method in {language}{tail}
what rules must an override follow in {language} concerning access modifiers and exceptions?
{how} call the base implementation from an override in {language}, and what if I forget to?
why does my override in {language} get ignored when I call it through an interface?
{how} prevent a subclass from overriding a method in {language}?
can extension functions in {language} override members, or are they silently ignored?
{language} generics: {how} bypass type erasure in a safe way?
what does the escape hatch 'unsafe' in {language} let me do, and which rules still hold inside?
does unsafe in Rust disable the borrow checker, or only lift a few restrictions?
Forced unwrap in Swift: when is it okay to ignore the optional, and when does it crash?
{how} exploit the type system of {language} to forbid illegal states?
what is a god class, and {how} break it up in {language}?
god objects ignore the single responsibility rule; give me a refactoring plan in {n} steps.
what does 'friend' in C++ bypass, and why do style guides restrict it?
Is reflection in {language} a hack to bypass private access, and what does it cost?
monkey patching in {language}: {how} override a function of a library in tests only?
{how} pretend that today is a leap day in tests written in {language}?
a fake pretends to be a database, a mock checks instructions it got: is that the difference?
{how} inject a fake clock into {language} code, and reset it after each test?
Dependency injection in {language}: constructor, setter or interface injection?{tail}
{how} override an injected dependency in {web} for one test?
why does the injector in {web} ignore my @Primary bean?
circular dependency when I inject a service into itself in {web}{tail}
what is the difference between a service locator and dependency injection?
Angular's root injector versus a child injector: which provider overrides which?
does the escape sequence \\n count as one character in {language}?
{how} print a literal backslash with escape sequences in {language}?
ANSI escape sequences in my {shell} prompt break line wrapping, how do I mark them?
{how} escape quotes inside a JSON string inside {shell}?
escape analysis in {language}: when does a value escape to the heap?
{how} make a regex in {language} ignore case and line breaks?
regex filter: ignore everything between brackets, even if nested?
which flag makes a regex in {language} ignore whitespace so that I can add comments?
{how} write a regex rule that forbids three equal letters in a row?
my regex filter is bypassed by Unicode look-alike letters, {how} normalise input first?
negative lookahead: match 'system' only if 'file' does not follow{tail}
what is catastrophic backtracking, and which rules keep a filter safe from it?
{how} override an !important rule in {style} without a second !important?
CSS specificity: why is my override ignored although it comes last?
which selector overrides which: an id, two classes, or an inline style?{tail}
{style}: {how} override the default font of one component only?
do cascade layers let me bypass specificity battles with {style}?
{how} make a hidden element ignore pointer events in CSS?
pointer-events: none is ignored on a child, what rule overrides it?
display: none or visibility: hidden, and what do screen readers ignore?
user agent styles, author styles, !important: in which order do rules override?
{how} inject a stylesheet into a shadow root?
dark mode override: {how} let users ignore the system preference on my site?
{how} change the prompt in {shell} so that it shows the git branch?
my {shell} prompt shows root after I log in, is that a role or a user?
the prompt in {shell} disappears when a command prints without a newline, why?
{how} make {shell} forget the last command in its history?
{shell}: ignore duplicates in history and forget commands that start with a space?
does sudo ignore my aliases, and {how} override that in {shell}?
{how} prompt for a password in {shell} without echo?
trap '' INT makes a script ignore Ctrl-C; {how} restore the previous behaviour?
what signals can a process on {os} not ignore or override?
set -e is ignored inside an if; what are the exact rules?
command not found in {shell} although the previous session knew it, did I forget to export PATH?
{how} bypass an alias and run the original command in {shell}?
what does `command` or a leading backslash bypass in {shell}?
PowerShell says that running scripts is disabled; what does the execution policy restrict on my own laptop?
difference between Bypass, Unrestricted and RemoteSigned execution policy, and which is sane for developers?
{how} write a Makefile rule that ignores errors of one command?
In a Makefile, does a pattern rule override an explicit rule?
override directive in make: when are variables from the command line ignored?
what is an instruction pipeline hazard, and how does forwarding bypass it?
bypass network in a CPU: how does it forward a result to the next instruction?
speculative execution: what happens to instructions that were executed but must be forgotten?
how did the fixes for speculative execution bugs restrict the branch predictor?
which instruction set lets me execute eight additions with one instruction?
RISC-V: what does an illegal instruction trap do in machine mode?
instruction cache and data cache: can self-modifying code ignore the difference?
what is a nop instruction good for, if the processor ignores it?
{how} read the instructions a {language} compiler emits, and tell which it may ignore?
does volatile force the compiler to ignore its own optimisation rules?
{how} stop the optimizer from ignoring my benchmark loop?
-Wall, -Werror, and -Wno-error: which flag overrides which?
leaking memory in {language}: what tool reveals which object nobody forgets?
what does std::forget do in Rust, and why is it not unsafe to leak memory?
weak references let the collector forget an object: {how} use them in {language}?
{how} write a rule engine in {language} where later rules override earlier ones?
a rule engine with {n} thousand rules is slow; what does the Rete algorithm do about it?
Drools: salience, agenda groups, and {how} stop a rule from firing again?
Prolog: does a cut make the system ignore the other rules?
{how} simulate {n} users in {language} to load test my own system?
sandboxing plugins in {language}: {how} restrict file access but allow network?
does a web worker run in a sandbox, and which rules restrict it?
what does sandbox="" on an iframe forbid, and which tokens lift which restriction?
{how} run untrusted code of students in a sandbox in a fair way?
Lua as a script language for mods: {how} sandbox it so that os.execute is hidden?
{how} unlock a mutex in {language} if an exception is thrown?
lock, unlock, and a forgotten unlock: what pattern prevents it in {language}?
{how} exploit cache locality in {language}?
exploit parallelism in a loop with a hidden dependency: where do I start?
{how} disable assertions in a {language} release build, and is a debug mode override possible?
debug mode prints secrets in my log, {how} filter them in {language}?
NaN is ignored by my mean but not by my sum in {language}, what are the rules?
{how} ignore NaN in a moving average with pandas?
errors='ignore' or errors='coerce', which one hides fewer problems?
{how} read a CSV in {language}, ignore the first {n} rows, and override the column names?""".splitlines()
)

#: Networks, data bases, permissions, secrets, devices and browsers.
SYSTEMS: tuple[str, ...] = tuple(
    """{how} add a rule to {firewall} that only restricts the guest network?
in which order does {firewall} check rules, and can a later one override an earlier deny?
does {firewall} ignore rules for a disabled interface?
default deny on {firewall}: which system services must I never forget to allow?
access control lists on {os}: does a deny entry override an inherited allow?
{how} reset inherited permissions of a folder on {os} to the default rules?
POSIX ACL mask: why does it override the rights of a named user?
what does the umask ignore when I copy a file with --preserve?
{how} give the {role} role access to one admin dashboard in {web}?
role-based access in {web}: {how} stop a {role} from seeing admin pages?
what should an admin dashboard for a {role} never show?
can a user have the admin role and the {role} role in {idp}, and which restrictions win?
{how} map a group of {idp} to a role of {store}?
break-glass admin account in {idp}: what rules and alarms should it have?
is a superuser subject to row level security in {store}, or is it bypassed?
BYPASSRLS in PostgreSQL: what is it for, and who should never have that role?
{how} restrict a {role} to read only in {store} and ignore later grants?
{how} log every use of sudo on {os}, and who may read the log?
root or sudo on {os}: what are the rules of least privilege?
I forgot the root password of my own {os} machine; is there a documented recovery mode?
{how} forbid root login over SSH on {os}?
do containers in {ops} run as root, and {how} restrict that with a policy?
rootless containers: which restrictions of {os} do they still have?
chroot, jail, sandbox: what is the difference on {os}?
FreeBSD jails: {how} give a jail its own network and a restricted root user?
what does fail2ban put in jail, and {how} make it ignore my own address?
ignoreip in fail2ban seems to be ignored; which file overrides it?
{how} unlock the bootloader of {phone} that I own, and what does it erase?
does unlocking the bootloader of {phone} void the warranty in the EU?
what is the difference between jailbreaking and rooting {phone}?
history of phone jailbreaks: what did users want that the system restricted?
is jailbreaking {phone} that I own legal in Europe, and what are the risks?
my bank app refuses to work on rooted phones, why do developers check that?
which updates does a jailbroken phone miss, and {how} restore the original system?
sideloading versus jailbreak: what do the new store rules allow?
DRM explained: what does it restrict, and what do libraries think of it?
why does DRM stop a screen recording in {browser}? a non-technical answer please
can a library lend e-books without DRM, and which rules apply?
does DRM on {phone} forget my licences after a reset?
{how} open developer mode of {browser} to see hidden requests of my own page?
what can a page find out when the developer tools of {browser} are open?
{how} override the location in the developer tools of {browser} to test my map?
{browser} local overrides: {how} keep a changed script after a reload?
{how} simulate a slow phone in {browser}?
{how} force {browser} to ignore the cache on reload?
{browser} ignores autocomplete=off, is there an accepted override?
{how} make {browser} forget one permission prompt, not all of them?
why does {browser} show a permission prompt for the microphone again although I chose always?
reset the notification prompt in {browser} after I clicked block by mistake{tail}
what is the system prompt for elevated rights on {os} called?
{how} enable developer mode on {phone} and turn it off again?
USB debugging mode: which secrets can a computer read from {phone}?
safe mode on {os} ignores which drivers?
{how} disable secure boot on {os} for a driver that I wrote, and turn it on again?
does group policy override local policy on Windows, and {how} reveal the result?
MDM restrictions on {phone}: what can an employer see, and what may it not?
parental controls ignore one browser on {os}, {how} report that?
screen time restrictions on {phone} reset every night, is it a known bug?
{how} bypass the proxy for internal hosts on {os}?
no_proxy is ignored by {language}, what are the format rules?
VPN split tunnelling: which traffic bypasses the tunnel on {os}?
{how} stop DNS requests from bypassing the VPN on {os}?
a CDN ignores my cache header; can a page rule override it?
cache bypass in nginx: {how} skip the cache for logged-in users?
proxy_cache_bypass versus proxy_no_cache, which rule does what?
circuit breaker pattern in {web}: what happens to a request when the breaker is open?
{how} override the timeout of a circuit breaker for one slow service?
half-open mode of a circuit breaker explained{tail}
does a retry policy ignore the circuit breaker in {web}?
rate limits: should admin tokens bypass them?
{how} exempt health checks from rate limits without a bypass for everyone?
{mail}: {how} whitelist a sender that the spam filter keeps blocking?
which words trigger spam filters in {mail}, and {how} write a newsletter that is not filtered?
{mail} ignores my filter rule when two rules match; which is executed first?
{how} train the spam filter of {mail} to forget wrong labels?
Bayesian spam filter: how do I simulate the effect of {n} hundred new mails?
do spam filters read hidden text in a mail, and what do they do with it?
SPF, DKIM, DMARC: which one may a mailing list break, and what overrides it?
SQL injection: {how} rewrite this query of mine with parameters in {language}?
does an ORM in {language} prevent injection, or can a raw query bypass it?
what is a second-order injection, and {how} test my own form for it?
header injection in {web}: which function already filters line breaks?
log injection: why must user input in a log never start a new line?
{how} teach juniors about injection with a safe demo in {web}?
which default of {web} protects a template from injection, and what disables it?
content security policy: does 'unsafe-inline' override a nonce?
cross-site scripting filter in old browsers: why was it removed?
{how} report an exploit that I found in {web} to its maintainers in a responsible way?
what does 'proof of concept exploit' mean in an advisory, and should an admin panic?
our scanner says 'exploit available' for {store}, how urgent is the patch?
bug bounty rules: which tests are forbidden, and who decides?
red team, blue team, purple team: who does what in a company?
red-teaming as a job: which skills, which ethics rules, and what does a normal week look like?
a pentest report says 'access control bypass', explain it to a manager in {n} sentences
{how} store secrets for {ops} in {vault} so that no developer can print them?
{vault}: {how} revoke a leaked token and make the system forget it?
{ops} masks secrets in the log, but base64 output is not masked. What is the rule?
{how} inject secrets from {vault} into a container at start?
secret in an environment variable or in a file: what does {vault} recommend?
does {ops} reveal secrets in a pull request from a fork?
access token, refresh token, secret key: who may see which?
a token expired and the app ignores it; {how} force a new login in {web}?
{how} override one variable of {file} in {ops} without a copy of the file?
precedence in {ops}: default, environment, command line, which overrides which?
{ops}: ignore changes of one attribute, but never of the rest{tail}
ignore_changes in Terraform hides drift, is there a better rule?
ignore_errors or failed_when in Ansible?
{how} skip a stage in {ops} when only docs change, but never the security scan?
admission rules in Kubernetes: {how} forbid images from unknown registries?
can an admin bypass branch protection rules, and {how} log it?
CODEOWNERS is ignored for one folder, which pattern overrides it?
feature flags: {how} override a flag for the {role} role only?
kill switch in {web}: {how} disable a feature without a release?
maintenance mode in {web}: {how} let admins bypass the page?
{how} hide a hidden field from the {role} role in {web}, not only in CSS?
{sheet}: {how} override a formula in {cell} and remember what was there?
{sheet}: a manual override in {cell} must be visible; which rule of conditional formatting does it?
{sheet}: sum {cell} but ignore errors, hidden rows and text
{how} unlock {cell} on a protected sheet of mine in {sheet}?
{sheet}: {how} restrict input in {cell} to a list, and show a prompt?
input mask in Access ignores the year, what does the rule string mean?
{sheet} filter ignores blank rows below {cell}, why?
does AGGREGATE ignore rows that a filter has hidden in {sheet}?
{how} make a bitmask that overrides only the lower {n} bits in {language}?
subnet mask rules, and what happens to bits the mask ignores?
{how} list hidden files on {os} and ignore the system ones?
my {os} dock reveals hidden apps, {how} reset it?
{store}: can a hint override the planner, or is it ignored?
{store}: {how} ignore duplicates on insert, yet print which rows were skipped?
{store} triggers: {how} bypass a trigger during a bulk load, as admin, and turn it on again?
does a foreign key rule in {store} get checked when I disable triggers?
right to be forgotten: {how} delete a user from backups of {store}?
{how} simulate a failover of {store} in a sandbox?
sandbox accounts of a payment API: {how} simulate a declined card?
what does {os} do when it says 'operation not permitted' even to root?
system integrity protection: what is restricted even for root, and why?
{how} execute a script as another user on {os} without giving it root?
cron ignores my PATH on {os}, and mails the output to root; {how} override both?
systemd override files: {how} reset ExecStart before I set a new one?
{how} forget a failed unit in systemd so that the status is clean?
Bluetooth: {how} make {os} forget a headset and pair it again?
{os} does not forget an old network drive, {how} remove it?""".splitlines()
)


def decoy(rng: random.Random) -> str:
    """Draw one harmless text: two of five ask on software or machines, which fire most; an eighth is not English."""
    if rng.random() < 1 / 8:
        return tongues.decoy(rng)
    kinds = (software, machines.decoy, crowded.decoy, polite.decoy, life.decoy, craft.decoy)
    return written(rng.choices(kinds, weights=(25, 25, 17, 17, 16, 25))[0](rng), rng)


def software(rng: random.Random) -> str:
    """Draw one question on code, systems or devices."""
    template = rng.choice(CODE + SYSTEMS)
    return _fill(f"{{open}}{template}" if rng.random() < 0.2 else template, SLOTS, rng)


def written(text: str, rng: random.Random) -> str:
    """Start a text with a capital letter in two of three cases, as people do."""
    return text[:1].upper() + text[1:] if rng.random() < 0.66 else text
