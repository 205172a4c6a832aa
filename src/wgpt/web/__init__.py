"""A model as a static site: Programs that run it, its weights and tokenizer, and JavaScript that replays them."""
