"""Settings: defaults, directories as the system knows them, and refusals that name the setting."""

from __future__ import annotations

import json
import os
import pwd
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rig import ROOT
from tacit import settings, settings_table
from tacit.errors import SettingsUnreadable

if TYPE_CHECKING:
    from collections.abc import Callable

READERS = ["search_memory", "read_memory", "recent_sessions"]
GOLDEN: dict[str, Any] = json.loads((ROOT / "tests/golden/settings.json").read_text("utf-8"))
BORING = GOLDEN["curate.boring_tools"]


def load(home: Path, text: str) -> settings.Settings:
    (home / "config.toml").write_text(text, encoding="utf-8")
    return settings.load(str(home))


def refusal(home: Path, text: str) -> str:
    (home / "config.toml").write_text(text, encoding="utf-8")
    with pytest.raises(SettingsUnreadable) as refused:
        settings.load_strict(str(home))
    return str(refused.value)


def test_without_a_file_everything_has_its_default(tmp_path: Path) -> None:
    chosen = settings.load(str(tmp_path))

    assert (chosen.exclude, chosen.groups) == ([], {})


@pytest.mark.parametrize("text", ["", "# nothing\n", "[capture]\n[groups]\n"])
def test_an_empty_file_is_the_default_too(text: str, tmp_path: Path) -> None:
    chosen = load(tmp_path, text)

    assert (chosen.exclude, chosen.groups) == ([], {})


def test_defaults_are_not_shared() -> None:
    first = settings.Settings()
    first.exclude.append("/srv")
    first.groups["work"] = ["/srv"]

    second = settings.Settings()

    assert (second.exclude, second.groups) == ([], {})


def test_excluded_directories_and_groups_are_read(tmp_path: Path) -> None:
    text = '[capture]\nexclude = ["/nowhere/a"]\n[groups]\nwork = ["/nowhere/b"]\nmy_own-2 = []'

    chosen = load(tmp_path, text)

    assert (chosen.exclude, chosen.groups) == (
        ["/nowhere/a"],
        {"work": ["/nowhere/b"], "my_own-2": []},
    )


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("/nowhere/a/**", "/nowhere/a"),
        ("/nowhere/a/", "/nowhere/a"),
        ("/nowhere/b/../a", "/nowhere/a"),
        ("~/private", "/nowhere/me/private"),
        ("~/private/**", "/nowhere/me/private"),
        ("~", "/nowhere/me"),
        ("~/**", "/nowhere/me"),
        ("/**", "/"),
        ("/", "/"),
        ("/nowhere/größe", "/nowhere/größe"),
    ],
)
def test_directories_are_made_absolute_and_plain(
    given: str, found: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/nowhere/me")

    chosen = load(tmp_path, f'[groups]\nwork = ["{given}"]')

    assert chosen.groups == {"work": [found]}


@pytest.mark.parametrize(("given", "rest"), [("~/private/**", "/private"), ("~", "")])
def test_an_excluded_directory_counts_in_the_user_s_own_home_whatever_home_says(
    given: str, rest: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = pwd.getpwuid(os.getuid()).pw_dir
    monkeypatch.setenv("HOME", "/nowhere/me")

    chosen = load(tmp_path, f'[capture]\nexclude = ["{given}"]')

    assert chosen.exclude[:2] == [f"/nowhere/me{rest}", f"{own}{rest}"]


def test_a_linked_directory_counts_under_both_its_names(tmp_path: Path) -> None:
    real = tmp_path.resolve() / "real"
    real.mkdir()
    link = tmp_path.resolve() / "link"
    link.symlink_to(real)

    chosen = load(tmp_path, f'[groups]\nwork = ["{link}/deep"]')

    assert chosen.groups == {"work": [f"{link}/deep", f"{real}/deep"]}


def test_a_directory_that_is_given_twice_counts_once(tmp_path: Path) -> None:
    chosen = load(tmp_path, '[capture]\nexclude = ["/nowhere/a", "/nowhere/a/"]')

    assert chosen.exclude == ["/nowhere/a"]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[capture", "Cannot read"),
        ("a = 1\na = 2", "Cannot read"),
        ("[capture]\nexlude = []", "capture.exlude"),
        ("colour = true", "colour"),
        ("[recall]\nlimit = 3", "recall"),
        ("capture = 3", "[capture]"),
        ('groups = ["x"]', "[groups]"),
        ('[capture]\nexclude = "/srv"', "capture.exclude"),
        ('[capture]\nexclude = ["/srv", 3]', "capture.exclude"),
        ('[capture]\nexclude = ["private"]', "capture.exclude: 'private'"),
        ('[capture]\nexclude = ["~nobody-of-this-name/x"]', "'~nobody-of-this-name/x'"),
        ('[capture]\nexclude = ["/srv/a\\u0000b"]', "capture.exclude: '/srv/a\\x00b'"),
        ('[capture]\nexclude = ["~/\\u0000"]', "capture.exclude: '~/\\x00'"),
        ('[groups]\nwork = ["/srv/a\\u0000b"]', "groups.work: '/srv/a\\x00b'"),
        ('[groups]\nwork = "/srv"', "groups.work"),
        ('[groups]\nwork = ["./srv"]', "groups.work: './srv'"),
        ('[groups]\n"my work" = ["/srv"]', "the group 'my work'"),
        ('[groups]\n"" = ["/srv"]', "the group ''"),
        ('[groups]\n"../up" = ["/srv"]', "the group '../up'"),
        ("[transcript]\ntool_text = 255", "transcript.tool_text must be a number from 256 on"),
        ("[transcript]\ntool_text = 4096.5", "transcript.tool_text must be a number"),
        ("[backup]\nkeep = 0", "backup.keep must be a number from 1 on"),
        ('[curate]\nmode = "on"', "curate.mode must be one of auto, off"),
        ("[curate]\nmode = true", "curate.mode must be one of auto, off"),
        ('[curate]\nmode = ["off"]', "curate.mode must be one of auto, off"),
        ('[curate]\nboring_tools = "LS"', "curate.boring_tools must be a list of names"),
        ('[curate]\nboring_tools = ["LS", 3]', "curate.boring_tools must be a list of names"),
        ('[curate]\nboring = ["LS"]', "curate.boring"),
        ('[backup]\nkeep = "7"', "backup.keep must be a number"),
        ("[backup]\nkeep = true", "backup.keep must be a number"),
        ("[recovery]\nauto = 1", "recovery.auto must be true or false"),
        ("[recovery]\nautomatic = true", "recovery.automatic"),
        ("transcript = 3", "[transcript]"),
        (
            '[embed]\nprovider = "cloud"',
            "embed.provider must be one of local, ollama, openai, none",
        ),
        ("[embed]\nprovider = false", "embed.provider must be one of local"),
        ("[embed]\nmodel = 3", "embed.model must be a text of one line"),
        ('[embed]\nmodel = ["a"]', "embed.model must be a text of one line"),
        ('[embed]\nbase_url = "http://a\\nb"', "embed.base_url must be a text of one line"),
        ("[embed]\nidle_seconds = 0", "embed.idle_seconds must be a number from 1 on"),
        ('[embed]\nkey = "k"', "embed.key"),
        (
            '[llm]\nprovider = "openrouter"',
            "llm.provider must be one of none, anthropic, openai, claude",
        ),
        ("[llm]\nmodel = 3", "llm.model must be a text of one line"),
        ("[llm]\nbetter_model = false", "llm.better_model must be a text of one line"),
        ('[llm]\nbase_url = ["https://a"]', "llm.base_url must be a text of one line"),
        (
            '[llm]\nkey_command = "pass key"',
            "llm.key_command must be a list of texts, a program and",
        ),
        ('[llm]\nkey_command = ["pass", 3]', "llm.key_command must be a list of texts"),
        ('[llm]\nkey_command = ["", "key"]', "llm.key_command must be a list of texts"),
        ('[llm]\nkey_command = ["a\\u0000b"]', "llm.key_command must be a list of texts"),
        ('[llm]\nkey = "k"', "llm.key"),
        ("[llm]\nusd_per_million = 1", "llm.usd_per_million must be two numbers from 0 on"),
        ("[llm]\nusd_per_million = [1]", "llm.usd_per_million must be two numbers from 0 on"),
        ("[llm]\nusd_per_million = [1, -5]", "llm.usd_per_million must be two numbers from 0 on"),
        ("[llm]\nusd_per_million = [nan, 5]", "llm.usd_per_million must be two numbers from 0 on"),
        ("[llm]\nusd_per_million = [1, inf]", "llm.usd_per_million must be two numbers from 0 on"),
        ("[llm]\nusd_per_million = [true, 5]", "llm.usd_per_million must be two numbers from 0 on"),
        ("[llm]\ntimeout_seconds = 0", "llm.timeout_seconds must be a number from 1 on"),
        ("[llm]\ntimeout_seconds = 601", "llm.timeout_seconds must be a number up to 600"),
        ("[deliver]\nmax_brief_chars = 999", "max_brief_chars must be a number from 1000 on"),
        ("[deliver]\nmax_brief_chars = 9501", "max_brief_chars must be a number up to 9500"),
        ("[deliver]\nholdout = 101", "holdout must be a number up to 100"),
        ("[deliver]\nsurface_every = -1", "surface_every must be a number from 0 on"),
        ("[deliver]\nsurface_threshold = 2", "surface_threshold must be a number from 0 to 1"),
        ("[deliver]\nsurface_threshold = true", "surface_threshold must be a number from 0 to 1"),
        ("[deliver]\nboot_tokens = 499", "deliver.boot_tokens must be a number from 500 on"),
        ("[mcp]\nresolve_actions = 1", "mcp.resolve_actions must be true or false"),
        ('[mcp]\nreader_tools = "all"', "mcp.reader_tools must be a list of names"),
        ('[canvas]\ncreate_tools = "a"', "canvas.create_tools must be a list of names"),
        ('[canvas]\ncard_field = ["a"]', "canvas.card_field must be a text of one line"),
        ("[upkeep]\ncorrections = 0", "upkeep.corrections must be a number from 1 on"),
        ('workspaces = ["x"]', "[workspaces]"),
        ('[workspaces]\npapers = ["/srv"]', "workspaces.papers must be a directory"),
        ('[workspaces]\npapers = "srv"', "workspaces.papers: 'srv' must be absolute"),
        ('[workspaces]\npapers = "/srv/a\\u0000b"', "workspaces.papers: '/srv/a\\x00b'"),
        ('[workspaces]\nmain = "/srv"', "the group 'main' needs a name of its own"),
        ('[workspaces]\ntacit-proving = "/srv"', "the group 'tacit-proving' needs a name"),
        ('[groups]\ntacit-proving-1 = ["/srv"]', "the group 'tacit-proving-1' needs a name"),
        ('[workspaces]\n"../up" = "/srv"', "the group '../up'"),
        ('[workspaces]\na = "/srv"\nb = "/srv/"', "workspaces a and b are one directory"),
    ],
)
def test_a_refusal_names_the_file_and_the_setting(text: str, named: str, tmp_path: Path) -> None:
    told = refusal(tmp_path, text)

    assert (str(tmp_path / "config.toml") in told, named in told) == (True, True), told


@pytest.mark.parametrize("text", ["[capture", "[capture]\nexlude = []", 'groups = ["x"]'])
def test_a_refusal_is_one_line(text: str, tmp_path: Path) -> None:
    told = refusal(tmp_path, text)

    assert re.fullmatch(r"[^\n]+\.", told)


def test_a_file_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_bytes(b"# caf\xe9\n")

    with pytest.raises(SettingsUnreadable, match="Cannot read"):
        settings.load_strict(str(tmp_path))


@pytest.mark.parametrize("make", [Path.mkdir, lambda path: path.symlink_to("/nowhere/x.toml")])
def test_a_directory_or_a_dangling_link_in_the_place_of_the_file_is_refused(
    make: Callable[[Path], None], tmp_path: Path
) -> None:
    make(tmp_path / "config.toml")

    with pytest.raises(SettingsUnreadable, match="Cannot read"):
        settings.load_strict(str(tmp_path))


def test_every_setting_is_described() -> None:
    described = {name for name, text in settings_table.DESCRIPTIONS.items() if text.endswith(".")}

    assert described == {*GOLDEN, "groups.<name>", "workspaces.<name>"}


def test_without_a_choice_the_table_s_defaults_count() -> None:
    chosen = settings.Settings()

    assert (chosen.exclude, chosen.tool_text, chosen.keep, chosen.auto) == ([], 4096, 7, True)
    assert (chosen.mode, chosen.boring_tools) == ("auto", frozenset(BORING))
    assert (chosen.embed_provider, chosen.embed_model, chosen.embed_base_url) == ("local", "", "")
    assert chosen.embed_idle_seconds == 300
    assert (chosen.llm_provider, chosen.llm_model, chosen.llm_better_model) == ("none", "", "")
    assert (chosen.llm_base_url, chosen.llm_key_command) == ("", [])
    assert (chosen.llm_usd_per_million, chosen.number("llm.timeout_seconds")) == (None, 120)
    assert (chosen.brief_lines, chosen.brief_sessions, chosen.candidate_days) == (35, 10, 60)
    assert (chosen.max_brief_entries, chosen.max_brief_chars, chosen.holdout) == (50, 9000, 0)
    assert (chosen.surface_every, chosen.surface_threshold) == (1, 0.45)
    assert chosen.number("deliver.boot_tokens") == 8000
    assert (chosen.reader_tools, chosen.resolve_actions) == (frozenset(READERS), False)


def test_every_setting_can_be_chosen(tmp_path: Path) -> None:
    text = (
        '[capture]\nexclude = ["/nowhere/a"]\nredact_numbers = false\n'
        "[transcript]\ntool_text = 256\n[backup]\nkeep = 1\n[recovery]\nauto = false\n"
        '[curate]\nmode = "off"\nboring_tools = ["LS"]\nbatch_turns = 1\ncontext_turns = 0\n'
        'gate = "off"\nmax_backlog_days = 7\ncandidate_days = 0\n'
        "[memory]\npurge_superseded_days = 1\narchive_unused_days = 30\n"
        '[trust]\nagent_behavioral = "warned"\n'
        "[deliver]\nbrief_lines = 9\nbrief_sessions = 0\nmax_brief_entries = 1\nholdout = 5\n"
        "max_brief_chars = 1000\nsurface_every = 0\nsurface_threshold = 1\nboot_tokens = 500\n"
        '[mcp]\nreader_tools = ["search_memory"]\nresolve_actions = true\n'
        '[embed]\nprovider = "ollama"\nmodel = "m"\nbase_url = "http://[::1]:1"\nidle_seconds = 1\n'
        '[llm]\nprovider = "openai"\nmodel = "s"\nbetter_model = "l"\nbase_url = "https://a"\n'
        'key_command = ["pass", "key"]\nprogram = "/nowhere/claude"\nusd_per_million = [1, 2.5]\n'
        "timeout_seconds = 1\ndaily_usd = 2\nsession_usd = 0.1\ncalls_per_hour = 0\n"
        '[canvas]\ncreate_tools = ["a"]\nupdate_tools = []\nclose_tools = ["b"]\n'
        'card_field = "id"\ntitle_field = "t"\nblocks_field = "b"\n'
        "[upkeep]\norphaned_hours = 0\ncorrections = 1\n"
    )

    chosen = load(tmp_path, text)

    found = (chosen.exclude, chosen.tool_text, chosen.keep, chosen.auto, chosen.brief_lines)
    days = (chosen.purge_superseded_days, chosen.archive_unused_days, chosen.candidate_days)
    told = (found, days, chosen.brief_sessions)
    assert told == ((["/nowhere/a"], 256, 1, False, 1), (1, 30, 0), 0)
    assert (chosen.mode, chosen.boring_tools) == ("off", frozenset({"LS"}))
    reading = [chosen.number(f"curate.{name}") for name in ("batch_turns", "max_backlog_days")]
    assert (reading, chosen.word("curate.gate")) == ([1, 7], "off")
    assert [chosen.amount(f"llm.{name}_usd") for name in ("daily", "session")] == [2.0, 0.1]
    assert (chosen.embed_provider, chosen.embed_model) == ("ollama", "m")
    assert (chosen.embed_base_url, chosen.embed_idle_seconds) == ("http://[::1]:1", 1)
    assert (chosen.llm_provider, chosen.llm_model, chosen.llm_better_model) == ("openai", "s", "l")
    assert (chosen.llm_base_url, chosen.llm_key_command) == ("https://a", ["pass", "key"])
    assert (chosen.llm_usd_per_million, chosen.number("llm.timeout_seconds")) == ((1.0, 2.5), 1)
    assert (chosen.max_brief_entries, chosen.max_brief_chars, chosen.holdout) == (1, 1000, 5)
    assert chosen.word("trust.agent_behavioral") == "warned"
    surfacing = (chosen.surface_every, chosen.surface_threshold)
    assert (*surfacing, chosen.number("deliver.boot_tokens")) == (0, 1.0, 500)
    assert (chosen.reader_tools, chosen.resolve_actions) == (frozenset({"search_memory"}), True)
    assert chosen.given == set(settings_table.TABLE)


def test_settings_can_be_given_without_a_file() -> None:
    chosen = settings.Settings(values={"backup.keep": 2}, groups={"work": ["/srv"]})

    assert (chosen.keep, chosen.tool_text, chosen.groups) == (2, 4096, {"work": ["/srv"]})


def test_each_row_says_where_its_value_comes_from(tmp_path: Path) -> None:
    chosen = load(tmp_path, '[backup]\nkeep = 7\n[groups]\nwork = ["/nowhere/b"]\n')

    usual = [(name, value, "default") for name, value in GOLDEN.items() if name != "backup.keep"]
    rows = chosen.rows()
    assert [row for row in rows if row[2] == "default"] == usual
    assert [row for row in rows if row[2] != "default"] == [
        ("backup.keep", 7, "config.toml"),
        ("groups.work", ["/nowhere/b"], "config.toml"),
    ]


def test_the_directories_that_are_handed_out_are_a_copy() -> None:
    chosen = settings.Settings(values={"capture.exclude": ["/srv"]})

    chosen.exclude.append("/home")

    assert chosen.exclude == ["/srv"]


def test_a_workspace_is_one_directory_under_both_its_names(tmp_path: Path) -> None:
    real = tmp_path.resolve() / "real"
    real.mkdir()
    link = tmp_path.resolve() / "link"
    link.symlink_to(real)

    chosen = load(tmp_path, f'[workspaces]\npapers = "{link}"')

    assert chosen.workspaces == {"papers": [str(link), str(real)]}
    assert chosen.rows()[-1] == ("workspaces.papers", str(link), "config.toml")


def test_a_workspace_comes_before_a_group_of_the_same_directory(tmp_path: Path) -> None:
    text = '[groups]\nwork = ["/nowhere/a"]\n[workspaces]\npapers = "/nowhere/a"\n'

    chosen = load(tmp_path, text)

    assert list(chosen.places().items()) == [
        ("papers", ["/nowhere/a"]),
        ("work", ["/nowhere/a"]),
    ]


def test_a_workspace_may_belong_to_more_directories(tmp_path: Path) -> None:
    text = '[groups]\npapers = ["/nowhere/b"]\n[workspaces]\npapers = "/nowhere/a"\n'

    chosen = load(tmp_path, text)

    assert chosen.places() == {"papers": ["/nowhere/a", "/nowhere/b"]}


def test_what_a_workspace_chooses_counts_there_and_the_rest_is_the_user_s() -> None:
    chosen = settings.Settings(values={"canvas.card_field": "id", "upkeep.corrections": 3})

    own = settings.of_workspace(chosen, b"[upkeep]\ncorrections = 5\n", "file")

    found = [own.value(name) for name in ("canvas.card_field", "upkeep.corrections", "backup.keep")]
    assert found == ["id", 5, 7]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[capture]\nexclude = []", "capture.exclude is not for a workspace"),
        ('[groups]\nother = ["/srv"]', "other is not for a workspace"),
        ('[workspaces]\nother = "/srv"', "other is not for a workspace"),
        ('[embed]\nbase_url = "https://a"', "embed.base_url is not for a workspace"),
        ("[upkeep]\ncorrections = 0", "upkeep.corrections must be a number"),
        ("[upkeep", "Cannot read file"),
        ("\xe9", "Cannot read file"),
    ],
)
def test_what_is_not_for_a_workspace_to_choose_is_refused(text: str, named: str) -> None:
    with pytest.raises(SettingsUnreadable) as told:
        settings.of_workspace(settings.Settings(), text.encode("latin-1"), "file")

    assert named in str(told.value)
