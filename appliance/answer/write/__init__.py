"""An answer written by a language model: it names sentences, the program quotes and checks them."""
