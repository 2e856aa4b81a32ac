"""Where classifiers run. Each module is one backend; nobody imports them but the plugin that registers them."""
