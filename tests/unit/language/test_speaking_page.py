"""The page of what can be said is the one that the tested sentences make."""

from speaking import PAGE, page


def test_the_page_says_what_is_tested():
    assert PAGE.read_text(encoding="utf-8") == page(), "docs/speaking.md is stale: run scripts/speaking-page"
