import json

from reader import ROOT, mode, read


def test_data(monkeypatch):
    assert read() == 'one\n'
    monkeypatch.chdir(ROOT / 'data')
    with open('b.json') as file:
        assert json.load(file) == {}
    assert mode() == 'plain'
