pytest_plugins = ['helpers.plugin']
