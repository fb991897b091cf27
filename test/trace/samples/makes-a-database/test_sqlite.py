import os
import sqlite3


def test_sqlite():
    base = sqlite3.connect(os.path.join(os.path.dirname(__file__), 'store.db'))
    base.execute('create table t (n)')
    base.close()
