"""The data folder belongs to one process at a time."""

import os

import pytest

from homesteward.store import DataFolder, DataFolderLockedError


def test_a_data_folder_in_use_says_by_which_process(tmp_path):
    with DataFolder.open(tmp_path / "data"), pytest.raises(DataFolderLockedError, match=str(os.getpid())) as refused:
        DataFolder.open(tmp_path / "data")

    assert refused.value.code == "data_folder_locked"


def test_a_data_folder_is_free_again_once_closed(tmp_path):
    folder = DataFolder.open(tmp_path / "data")
    folder.close()
    folder.close()

    DataFolder.open(tmp_path / "data").close()
