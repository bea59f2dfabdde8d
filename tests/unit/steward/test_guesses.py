"""What is only likely goes to a model, where there is one, before a person is asked."""

import pytest

from homesteward.language import Asks
from homesteward.language.stage import How, Stage
from homesteward.steward.outfit import for_a_model


@pytest.mark.parametrize(
    ("stage", "goes"), [(Stage.SLIP, True), (Stage.RETRIEVAL, True), (Stage.SHAPE, False), (Stage.GRAMMAR, False)]
)
def test_a_guess_is_tried_by_a_model_and_a_plain_question_which_one_is_not(stage, goes):
    assert for_a_model(Asks("which?", (), (), how=How(stage))) is goes
