def test_tmp(tmp_path):
    (tmp_path / 'a.txt').write_text('x')
    assert (tmp_path / 'a.txt').read_text() == 'x'
