def test_hook(request):
    assert request.node.started
