import pytest

import plain


def test_unseen():
    line, source, doc, first = plain.own()
    assert (line, doc, first) == (10, 'Own doc.', 7)
    assert source.startswith('def own():\n    """Own doc."""\n    frame')
    assert plain.__doc__ == 'Doc.' and plain.Empty.__doc__ == 'Only a docstring.'
    with pytest.warns(DeprecationWarning) as caught:
        plain.warned()
    assert caught[0].lineno == 12
    assert not [name for name in vars(plain) if 'gistify' in name]
