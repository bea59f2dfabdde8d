"""One file per revision; a revision that was released is never changed."""
