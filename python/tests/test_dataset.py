from __future__ import annotations

import logging
import pickle
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import datasets
import processes
from quiver.torch import LoadError, QuiverDataLoader, QuiverDataset, TensorDecoder
from quiver.torch.batches import EpochIterator


@pytest.fixture(scope="module")
def labelled(tmp_path_factory: pytest.TempPathFactory) -> datasets.Data:
    return datasets.files(tmp_path_factory.mktemp("labelled"), 12, 200, seed=1, classes=3)


def test_samples_and_labels_are_those_of_an_image_folder(labelled: datasets.Data) -> None:
    dataset = QuiverDataset(labelled.digest, labelled.store)
    assert len(dataset) == 12
    assert dataset.classes == ["class0", "class1", "class2"]
    assert dataset.class_to_idx == {"class0": 0, "class1": 1, "class2": 2}
    for item, (content, name) in enumerate(zip(labelled.contents, labelled.names, strict=True)):
        assert dataset[item] == (content, dataset.class_to_idx[name.split("/")[0]])
    assert dataset[-1] == dataset[11]
    assert dataset.targets == [label for _, label in (dataset[item] for item in range(12))]


def test_without_a_label_column_the_folder_names_the_class(labelled: datasets.Data, tmp_path: Path) -> None:
    bare = datasets.digest_of(labelled.store, tmp_path / "bare.qdg", "--labels", "none")
    dataset = QuiverDataset(bare, labelled.store)
    assert dataset.classes == ["class0", "class1", "class2"]
    assert dataset.targets == QuiverDataset(labelled.digest, labelled.store).targets
    assert QuiverDataset(bare, labelled.store, labels=False)[3] == labelled.contents[3]


def test_the_store_is_where_the_digest_was_made_unless_told(labelled: datasets.Data) -> None:
    assert QuiverDataset(labelled.digest)[0][0] == labelled.contents[0]


def test_records_of_a_bigger_file_are_items_with_labels(tmp_path: Path) -> None:
    data = datasets.records(tmp_path, 30, 17, seed=2)
    dataset = QuiverDataset(data.digest, data.store, decode=TensorDecoder((17,), torch.uint8))
    sample, label = dataset[7]
    assert (bytes(sample.tolist()), label) == (data.contents[7], 7 % 3)


def test_decode_and_transforms_are_applied_in_turn(labelled: datasets.Data) -> None:
    dataset = QuiverDataset(
        labelled.digest, labelled.store, decode=len, transform=lambda n: n + 1, target_transform=str
    )
    assert dataset[5] == (len(labelled.contents[5]) + 1, str(dataset.targets[5]))


def fail_on_fifth(data: Any) -> bytes:
    if bytes(data) == fail_on_fifth.content:  # type: ignore[attr-defined]
        raise ZeroDivisionError("a bad picture")
    return bytes(data)


@pytest.mark.parametrize("workers", [0, 1])
@pytest.mark.parametrize("what", ["decode", "transform"])
def test_an_exception_names_the_sample_and_where_it_lies(
    labelled: datasets.Data, workers: int, what: str
) -> None:
    fail_on_fifth.content = labelled.contents[5]  # type: ignore[attr-defined]
    functions: dict[str, Any] = {what: fail_on_fifth}
    dataset = QuiverDataset(labelled.digest, labelled.store, **functions)
    where = rf"item 5 \('{labelled.names[5]}' in .*{what} failed: ZeroDivisionError: a bad picture"
    with (
        QuiverDataLoader(dataset, batch_size=4, num_workers=workers, collate_fn=list) as loader,
        pytest.raises(LoadError, match=where),
    ):
        list(loader)


def test_after_a_bad_batch_the_epoch_goes_on_to_its_end(labelled: datasets.Data) -> None:
    fail_on_fifth.content = labelled.contents[5]  # type: ignore[attr-defined]
    dataset = QuiverDataset(labelled.digest, labelled.store, decode=fail_on_fifth)
    for workers in (0, 1):
        loader = QuiverDataLoader(dataset, batch_size=4, num_workers=workers, collate_fn=len)
        epoch, sizes = iter(loader), []
        while True:
            try:
                sizes.append(next(epoch))
            except LoadError:
                continue
            except StopIteration:
                break
        assert sizes == [4, 4]
        loader.close()


class Gated:
    """Decodes; fails on one sample, and makes another one wait until the failure was seen."""

    def __init__(self, bad: bytes, slow: bytes, seen: Path):
        self.bad, self.slow, self.seen = bad, slow, seen

    def __call__(self, data: Any) -> bytes:
        if bytes(data) == self.bad:
            raise ZeroDivisionError("a bad picture")
        if bytes(data) == self.slow:
            processes.wait_until(self.seen.exists, "the other batch has failed")
        return bytes(data)


def test_a_bad_batch_that_comes_out_of_order_costs_no_good_one(
    labelled: datasets.Data, tmp_path: Path
) -> None:
    options: dict[str, Any] = {"batch_size": 4, "sampler": "strict", "seed": 1, "collate_fn": list}
    plain = QuiverDataset(labelled.digest, labelled.store, labels=False)
    first, bad, last = list(QuiverDataLoader(plain, **options))
    seen = tmp_path / "seen"
    dataset = QuiverDataset(
        labelled.digest, labelled.store, decode=Gated(bad[0], first[0], seen), labels=False
    )
    with QuiverDataLoader(dataset, num_workers=2, in_order=False, **options) as loader:
        epoch, got = iter(loader), []
        while True:
            try:
                got.append(next(epoch))
            except LoadError:
                seen.touch()
            except StopIteration:
                break
        assert sorted(got) == sorted([first, last])
        assert loader.state_dict()["finished"]


def test_an_epoch_that_ends_before_its_end_is_an_error(labelled: datasets.Data) -> None:
    dataset = QuiverDataset(labelled.digest, labelled.store)
    loader = QuiverDataLoader(dataset, batch_size=4, collate_fn=len)
    next(iter(loader))
    with pytest.raises(LoadError, match=r"before its end.* 8 items are left to draw"):
        next(EpochIterator(lambda: (loader.current_run(), iter(())), 0))


@pytest.mark.parametrize("kind", [list, np.array, torch.tensor])
def test_labels_that_are_given_are_those_of_the_samples(labelled: datasets.Data, kind: Any) -> None:
    labels = [(7 * item) % 5 for item in range(12)]
    dataset = QuiverDataset(labelled.digest, labelled.store, labels=kind(labels))
    assert dataset.targets == labels
    assert dataset[8] == (labelled.contents[8], labels[8])
    assert dataset.classes == ["0", "1", "2", "3", "4"]


def test_labels_that_fit_no_items_are_refused(labelled: datasets.Data) -> None:
    for wrong in ([], [1, 2, 3], [0.5] * 12, "class0", 1):
        with pytest.raises((ValueError, TypeError)):
            QuiverDataset(labelled.digest, labelled.store, labels=wrong)  # type: ignore[arg-type]


def test_items_that_lie_in_no_folder_are_no_samples_of_class_minus_one(
    labelled: datasets.Data, tmp_path: Path
) -> None:
    data = copy_of(labelled, tmp_path)
    (data.store / "README.txt").write_text("not a sample")
    digest = datasets.digest_of(data.store, tmp_path / "stray.qdg")
    with pytest.raises(ValueError, match=r"1 of 13 items have no class, such as 'README.txt'.*--exclude"):
        QuiverDataset(digest, data.store)
    assert len(QuiverDataset(digest, data.store, labels=False)) == 13
    without = datasets.digest_of(data.store, tmp_path / "clean.qdg", "--exclude", "README.txt")
    assert QuiverDataset(without, data.store).targets == QuiverDataset(labelled.digest).targets


def copy_of(data: datasets.Data, folder: Path) -> datasets.Data:
    return data._replace(store=Path(shutil.copytree(data.store, folder / "copy")))


def changed_object(labelled: datasets.Data, tmp_path: Path) -> datasets.Data:
    data = copy_of(labelled, tmp_path)
    (data.store / data.names[3]).write_bytes(bytes(len(data.contents[3])))
    return data


def test_a_changed_object_is_refused_by_name(labelled: datasets.Data, tmp_path: Path) -> None:
    data = changed_object(labelled, tmp_path)
    loader = QuiverDataLoader(QuiverDataset(data.digest, data.store), batch_size=12, collate_fn=list)
    with pytest.raises(LoadError, match=rf"{data.names[3]}.*changed since.*on_mismatch='serve'"):
        list(loader)


def test_a_changed_object_is_served_with_a_warning_if_told(
    labelled: datasets.Data, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    data = changed_object(labelled, tmp_path)
    dataset = QuiverDataset(data.digest, data.store, on_mismatch="serve")
    loader = QuiverDataLoader(dataset, batch_size=12, collate_fn=list)
    with caplog.at_level(logging.WARNING, "quiver"):
        contents = {content for content, _ in next(iter(loader))}
    assert bytes(len(data.contents[3])) in contents
    assert loader.statistics()["changed"] == 1
    assert data.names[3] in caplog.text


@pytest.mark.parametrize("how", ["shorter", "gone"])
def test_an_object_that_is_shorter_or_gone_is_named(
    labelled: datasets.Data, tmp_path: Path, how: str
) -> None:
    data = copy_of(labelled, tmp_path)
    path = data.store / data.names[2]
    path.write_bytes(b"short") if how == "shorter" else path.unlink()
    with pytest.raises(LoadError, match=rf"{data.names[2]}.*make the digest again"):
        QuiverDataset(data.digest, data.store)[2]


def test_a_digest_of_other_data_is_noticed_at_the_first_batch(
    labelled: datasets.Data, tmp_path: Path
) -> None:
    other = copy_of(labelled, tmp_path)
    for name in other.names:
        (other.store / name).write_bytes(bytes(300))
    loader = QuiverDataLoader(QuiverDataset(labelled.digest, other.store), batch_size=2)
    with pytest.raises(LoadError, match="make the digest again"):
        next(iter(loader))


def test_a_data_set_travels_to_other_processes(labelled: datasets.Data) -> None:
    dataset = QuiverDataset(labelled.digest, labelled.store, decode=TensorDecoder((4,), torch.uint8))
    copy = pickle.loads(pickle.dumps(dataset))
    assert (len(copy), copy.classes, copy.store.uri) == (12, dataset.classes, dataset.store.uri)


def test_what_makes_no_sense_is_refused(labelled: datasets.Data) -> None:
    with pytest.raises(ValueError, match="use 'bytes', 'image'"):
        QuiverDataset(labelled.digest, labelled.store, decode="jpeg")
    with pytest.raises(ValueError, match="use 'refuse' or 'serve'"):
        QuiverDataset(labelled.digest, labelled.store, on_mismatch="ignore")  # type: ignore[arg-type]
    dataset = QuiverDataset(labelled.digest, labelled.store)
    for wrong in ({"shuffle": False}, {"sampler": "random"}, {"batch_size": 0}, {"cache": "nowhere"}):
        with pytest.raises(ValueError):  # noqa: PT011 - each has its own words
            QuiverDataLoader(dataset, **wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="use a QuiverDataset"):
        QuiverDataLoader([1, 2, 3])  # type: ignore[arg-type]
