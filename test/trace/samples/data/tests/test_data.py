import json

from reader import ROOT, mode, names, read


def test_data(monkeypatch):
    assert read() == 'one\n'
    assert names() == ['a.txt', 'b.json', 'unread.bin']
    monkeypatch.chdir(ROOT / 'data')
    with open('b.json') as file:
        assert json.load(file) == {}
    assert mode() == 'plain'
