"""The next token: argmax, or drawn as the settings say."""
