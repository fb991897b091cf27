class Api:
    def fetch(self, url, timeout=30):
        response = self.session.get(url, timeout=30, headers=self.headers)
        # our own note
        return response.json()

    def brand_new(self):
        return 42


def setup_logging(level):
    logger.setLevel(level)
    # keep quiet
    logger.propagate = False
