"""Doors that other translators' users know: the same names, parameters and results, with this translator behind them."""
