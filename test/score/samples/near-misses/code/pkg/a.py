class Api:
    def fetch(self, url, timeout=10):
        response = self.session.get(url, timeout=timeout, headers=self.headers)
        response.raise_for_status()
        return response.json()


def setup_logging(level):
    logger.setLevel(level)
    # keep quiet
    logger.propagate = False
