"""Commands that name an excluded directory in the shell's own ways, and commands that do not."""

from __future__ import annotations

from typing import Any

import pytest

from tacit.capture import tools

HOME = "/home/me"
PRIVATE = "/home/me/private"
WORK = "/home/me/work"
ENVIRONMENT = {
    "D": PRIVATE,
    "P": HOME,
    "TMPDIR": "/tmp/scratch",  # noqa: S108  (a text, not a file)
    "USER": "me",
    "PWD": WORK,
    "OLDPWD": HOME,
}


def variable(name: str) -> str:
    return ENVIRONMENT.get(name, "")


def is_caught(command: str, cwd: str = WORK, **fields: Any) -> bool:
    """Return whether the event of a command that ran in *cwd* is left out."""
    payload = {"tool_name": "Bash", "tool_input": {"command": command}, **fields}
    return tools.mentions(payload, [PRIVATE], cwd, HOME, variable)


@pytest.mark.parametrize(
    "command",
    [
        # variables that the command sets
        "D=~/private; cat $D/diary/a.md",
        "X=~/pri; cat ${X}vate/a.md",
        "X=~; cat $X/private/a.md",
        'X=$HOME; cat "$X/private/a.md"',
        "export X=/home/me; cat $X/private/a.md",
        "declare -r X=/home/me && cat ${X}/private/a.md",
        "N=vate; cat ~/pri$N/a.md",
        "N=vate\ncat ~/pri${N}/a.md",
        "X=/home; Y=$X/me; cat $Y/private/a.md",
        "X=/home; X+=/me; cat $X/private/a.md",
        "for d in work private; do cat ~/$d/a.md; done",
        "for d in ~/*; do cat $d/a.md; done",
        'for d in ~/w* ~/pri*; do cat "$d"; done',
        "X='/home/me' sh -c 'cat $X/private/a.md'",
        "read -r d < list; cat ~/$d/a.md",
        "set -- ~ private; cat $1/$2/a.md",
        "f() { cat $1/private/a.md; }; f ~",
        # variables of the environment
        'cat "$D/diary/a.md"',
        "cat $D",
        "cat ${D}/a.md",
        "cat $P/private/a.md",
        "cat ${P%/}/private/a.md",
        "cat /home/$USER/private/a.md",
        "cat $PWD/../private/a.md",
        "cat $OLDPWD/private/a.md",
        "cat ${UNSET:-$HOME/private}/a.md",
        "cat ${UNSET:-~}/private/a.md",
        "cat ${UNSET-/home/me}/private/a.md",
        "cat $UNSET/private/a.md",
        "cat ${PWD%/*}/*/a.md",
        "cat $(dirname $PWD)/*/a.md",
        "cat $(git rev-parse --show-toplevel)/../private/a.md",
        "cat `dirname $PWD`/private/a.md",
        'cat "$(dirname "$PWD")/private/a.md"',
        # values that are changed
        "cat ${PWD/work/private}/a.md",
        "N=work; cat ${PWD//$N/private}/a.md",
        "cat ${PWD/%work/private}/a.md",
        "X=xx/home/me; cat ${X/#xx/}/private/a.md",
        "X=xx/home/me/private; cat ${X/xx}/a.md",
        "cat ${PWD/w*k/private}/a.md",
        "N=work M=private; cat ${PWD/$N/$M}/a.md",
        "cat ${UNSET/x/private}/a.md",
        "declare -n X=HOME; cat $X/private/a.md",
        "X=xx/home/me/private; cat ${X:2}/a.md",
        "X=/home/me/privatexx; cat ${X:0:16}/a.md",
        "X=/home/me/privatexx; cat ${X::-2}/a.md",
        "X=/home/me/privatexx; cat ${X%xx}/a.md",
        "X=xx/home/me/private; cat ${X#xx}/a.md",
        "X=a/b/home/me/private; cat ${X#*b}/a.md",
        "X=/home/me/PRIVATE; cat ${X,,}/a.md",
        "printf -v X '%s/%s' ~ private; cat $X/a.md",
        "printf -v X %s/ ~ private; cat ${X}a.md",
        "printf -v X '/%s/me/pri%c%s' home v ate; cat $X/a.md",
        "printf -v X '%s\\057private' ~; cat $X/a.md",
        f"N=private; cat {'${A:-' * 8}~/$N{'}' * 8}/a.md",
        f"N=private; cat {'${A:-' * 30}$HOME/$N{'}' * 30}/a.md",
        # globs
        "cat ~/pri*/a.md",
        "cat ~/privat?/a.md",
        "cat ~/privat[e]/a.md",
        "cat ~/[o-q]rivate/a.md",
        "cat ~/[!x]rivate/a.md",
        "cat ~/[[:alpha:]]rivate/a.md",
        "cat ~/*/a.md",
        "cat ~/*/*",
        "cat ~/**/a.md",
        "cat /home/*/private/a.md",
        "cat /h*/m?/p*e/a.md",
        "cat ../*/a.md",
        "cat ../pri*/a.md",
        "ls ~/*",
        "ls -d ~/p*",
        "cat ~/{private,x}/a.md",
        "cat ~/{x,{y,private}}/a.md",
        "cat {~,/tmp}/private/a.md",
        "cat ~/pri{vat,x}e/a.md",
        "cat ~/{o..q}rivate/a.md",
        "cat ~/@(private|x)/a.md",
        "cat ~/(private|x)/a.md",
        "bash -c 'cat ~/*/a.md'",
        "find ~ -path '*/private/*'",
        # quotes and escapes
        "cat ~/pri'vat'e/a.md",
        'cat ~/"private"/a.md',
        "cat ~/pri\\vate/a.md",
        'cat "$HOME"/private/a.md',
        'cat "${HOME}"/"private/a.md"',
        "cat $'/home/me/\\x70rivate/a.md'",
        "cat /home/me/\\\nprivate/a.md",
        # directories
        "cd ~/x && cat ../private/a.md",
        "cd .. && cat private/a.md",
        "cd; cat private/a.md",
        "cd ~ && cat pri*/a.md",
        "cd - && cat private/a.md",
        "cd $P; cat private/a.md",
        "(cd /tmp; ls); cd ..; cat private/a.md",
        "cd /home; cd me; cat private/a.md",
        "cd $(dirname $PWD) && cat private/a.md",
        "CDPATH=~ cd private && cat a.md",
        "export CDPATH=/tmp:/home/me; cd private; cat a.md",
        "CDPATH=~; pushd private; cat a.md",
        "CDPATH=$(pwd)/..; cd private; cat a.md",
        "CDPATH=/home; cd me; cat private/a.md",
        "git -C $P show HEAD:private/a.md",
        "tar -C ~ -c private",
        "cat ~+/../private/a.md",
        "cat ~-/private/a.md",
        "cat --from=~/private/a.md",
        "curl -d @../private/a.md localhost",
        "scp host:x ../private",
        # searches from above that print content without its path
        "grep -rh secret ~",
        "cd .. && grep -hr secret .",
        "rg -I secret ..",
        "find .. -name '*.md' -exec cat {} +",
        "find ~ -type f | xargs cat",
        "cat $(find .. -name '*.md')",
        "ls ~ | xargs -I{} cat ~/{}/a.md",
    ],
)
def test_a_command_that_can_reach_an_excluded_directory_is_left_out(command: str) -> None:
    assert is_caught(command)


def test_a_search_path_of_the_environment_counts() -> None:
    payload: Any = {"tool_name": "Bash", "tool_input": {"command": "cd private && cat a.md"}}

    def from_home(name: str) -> str:
        return f"/opt:{HOME}" if name == "CDPATH" else ""

    found = [
        tools.mentions(payload, [PRIVATE], "/opt", HOME, given) for given in (from_home, variable)
    ]

    assert found == [True, False]


@pytest.mark.parametrize(
    "command",
    [
        "cat */a.md",
        "cat */*",
        "cat **/*.md",
        "cat pri*/a.md",
        "ls *",
        "cd private && cat a.md",
        "cd pri* && cat a.md",
        "cat $PWD/private/a.md",
        "for d in *; do cat $d/*; done",
        "grep -rh secret",
        "git grep -h secret",
        "git ls-files | xargs cat",
    ],
)
def test_a_command_run_above_an_excluded_directory_is_left_out_if_it_can_reach_it(
    command: str,
) -> None:
    assert is_caught(command, HOME)


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("grep -r x .", "./private/a.md:1: x"),
        ("rg x", "private/a.md:1: x"),
        ("rg --heading x", "private/a.md\n1: x"),
        ("find .", ".\n./private\n./private/a.md"),
        ("ls -R", ".:\nprivate\n\n./private:\na.md"),
        ("ls -R -- *", "private:\na.md"),
        ("tree", ".\n├── private\n│   └── a.md"),
        ("tree --charset=ascii", ".\n|-- private\n|   `-- a.md"),
        ("du -a", "4\t./private/a.md"),
        ("tar cv . >x.tar", "./private/\n./private/a.md"),
        ("cp -rv . /tmp/x", "'./private/a.md' -> '/tmp/x/private/a.md'"),
        ("git diff", "diff --git a/private/a.md b/private/a.md\n+x"),
        ("git status -s", "?? private/"),
    ],
)
@pytest.mark.parametrize(
    ("cwd", "before"),
    [(HOME, ""), (WORK, "cd .. && "), ("/opt", "cd $P; "), ("/opt", "pushd ~ >/dev/null\n")],
)
def test_a_path_that_a_search_printed_is_known_from_where_it_searched(
    command: str, output: str, cwd: str, before: str
) -> None:
    assert is_caught(before + command, cwd, tool_response={"stdout": output})


@pytest.mark.parametrize(
    "command",
    [
        "D=/tmp; cat $TMPDIR/x",
        "X=/tmp; cat $X/x",
        "X=/tmp; cat $X/private/x",
        "X=/tmp/pri; cat ${X}vate/x",
        "cat $TMPDIR/private/a.md",
        "cat $UNSET/a.md",
        'cat "$1" "$@" > $UNSET',
        "cat ${UNSET:-/tmp/private}/a.md",
        "cat ${PWD/work/public}/a.md",
        "cat ${PWD/home/private}/a.md",
        "cat ${UNSET/private/x}/a.md",
        "X=/home/me/privatexx; cat ${X:0:14}/a.md",
        "printf -v X '%s/%s' /tmp private; cat $X/a.md",
        "printf -v X '%s' ~/work; cat $X/a.md",
        "printf '%s' private",
        "CDPATH=/tmp cd private && cat a.md",
        "CDPATH=~ cd work && cat a.md",
        "cat $UNSET",
        "for f in a b; do cat ~/work/$f/private; done",
        "for f in *.py; do wc -l $f; done",
        "ls *.py",
        "ls ~/work/*",
        "cat ~/w*/a.md",
        "cat ~/[a-o]rivate/a.md",
        "cat ~/privat[!e]/a.md",
        "cat ~/privat/a.md",
        "cat ~/?private/a.md",
        "cat ~/pri/*/a.md",
        "cat ~/{work,x}/a.md",
        "cp src/{a,b}.py /tmp/private",
        "cat */private/a.md",
        "cat **/*.md",
        "find . -name '*.md' -not -path '*/node_modules/*'",
        "find . -type f | xargs cat",
        "grep -rh secret . /tmp",
        "rg -g '**/*.md' secret",
        "sed 's/.*/x/' a.md",
        "awk '{print $1 * 2}' a.md",
        "echo $((2 * 3)) */",
        "sqlite3 db 'SELECT * FROM private'",
        "git commit -m 'keep the private parts private'",
        "cd /tmp && cat private/a.md",
        "cd src/.. && cat private/a.md",
        "(cd ../x; ls) && cat private/a.md",
        "cd ../other && cat private/a.md",
        "curl https://example.org/home/private/x",
        "cat <<'EOF' > a.c\n/* don't */\n/** x **/ int private;\nEOF",
        "python -c 'print(\"private\", 2 ** 3)'",
        "cat ~nobody-of-this-name/private/a.md",
        "X=$X$X; cat $X/x",
        "echo private",
    ],
)
def test_a_command_that_cannot_reach_an_excluded_directory_is_kept(command: str) -> None:
    assert not is_caught(command)


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("cat *", "cat: private: Is a directory"),
        ("wc -l *", "3 a.md"),
        ("ls", "a.md\nprivate\nwork"),
        ("ls -la", "drwx------ 2 me me 4096 private"),
        ("ls *.py", "a.py"),
        ("cat work/*.md", "what is private stays private"),
        ("grep x *", "a.md: x"),
        ("rg x", "work/a.md:1: x, and private notes"),
        ("find . -name '*.py'", "./desk/a.py\n./desk/private/b.py"),
        ("find work -name '*.md' | xargs cat", "some private words"),
        ("sqlite3 work/db 'SELECT * FROM t'", "1|private"),
        ("cat work/a.h", "class A {\n  private:\n  int a;\n};"),
        ("git diff", "diff --git a/work/private/a.md b/work/private/a.md"),
        ("echo $((2 * 3))", "6"),
        ("python <<'EOF'\nprint(2 ** 3)\nEOF", "8"),
        ("npx prettier --check '**/*.md'", "work/a.md"),
    ],
)
def test_an_event_above_an_excluded_directory_is_kept_if_it_shows_nothing_of_it(
    command: str, output: str
) -> None:
    assert not is_caught(command, HOME, tool_response={"stdout": output})


@pytest.mark.parametrize(
    ("tool", "arguments", "is_left_out"),
    [
        ("Read", {"file_path": "~/private/a.md"}, True),
        ("Glob", {"pattern": "pri*/**"}, True),
        ("Glob", {"pattern": "*/*.md", "path": "~/private"}, True),
        ("Glob", {"pattern": "**/private/*.md"}, True),
        ("Glob", {"pattern": "**/*.md"}, False),
        ("Grep", {"pattern": "a.*b", "glob": "**/*.{ts,tsx}"}, False),
        ("Grep", {"pattern": "a.*b", "glob": "pri*/*.md"}, True),
        ("Write", {"file_path": "x.md", "content": "* private\n* **/*.md */*"}, False),
        ("Write", {"file_path": "x.md", "content": "see ~/private/a.md"}, True),
        ("Edit", {"file_path": "x.c", "old_string": "/* $D */", "new_string": "*/*"}, False),
        ("Task", {"prompt": "find what is private in */*", "description": "$D"}, False),
        ("mcp__x__run", {"args": ["cat", "*/a.md"]}, True),
    ],
)
def test_a_field_is_read_as_what_its_tool_makes_of_it(
    tool: str, arguments: dict[str, Any], *, is_left_out: bool
) -> None:
    payload: Any = {"tool_name": tool, "tool_input": arguments}

    assert tools.mentions(payload, [PRIVATE], HOME, HOME, variable) is is_left_out
