import executable_lines
import gistify_plugin
import gistify_probes

def test_it():
    assert [gistify_plugin.NAME, gistify_probes.NAME, executable_lines.NAME] == ['the codebase', 'its probes', 'its lines']
