"""Killed runs and runs at once, some of each; `python -m tests.store` does two hundred."""

from __future__ import annotations

from pathlib import Path

from store_killing import ended, killed, paired, run


def test_killed_runs_leave_a_sound_store_and_the_next_one_is_right(tmp_path: Path) -> None:
    score = killed(4, tmp_path)
    assert not score.wrong and score.tries == 4 and score.early


def test_two_runs_at_once(tmp_path: Path) -> None:
    score = paired(2, tmp_path)
    assert not score.wrong and score.tries == 2


def test_two_runs_at_once_and_gc(tmp_path: Path) -> None:
    score = paired(2, tmp_path, collect=True)
    assert not score.wrong and score.tries == 2


def test_a_run_keeps_the_store_to_its_limit(tmp_path: Path) -> None:
    store = tmp_path / "store"
    code, _, err = ended(run(store, VOLTA_STORE_SIZE="20K"))
    held = sum(path.stat().st_size for kind in ("objects", "actions") for path in store.glob(f"{kind}/??/*"))
    assert code == 0 and "as it may have 20,480 ($VOLTA_STORE_SIZE)" in err and 0 < held <= 20 * 1024
    code, _, err = ended(run(store))  # what is gone is computed again
    assert (code, err) == (0, "")
