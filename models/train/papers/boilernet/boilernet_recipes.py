"""Lists the recipes of BoilerNet and MultiBoilerNet, by their papers and published code, and their variants."""

from papers.boilernet.boilernet_data import LONGEST

# Adam at .001 is Keras's default in both. Units count one direction; MultiBoilerNet's "256" counts both.
COMMON = {
    "dense": 256,
    "layers": 2,
    "tags": 1.0,
    "text": 1.0,
    "rate": 1e-3,
    "epochs": 20,
    "clip": 5.0,
    "window": LONGEST,
    "seed": 1,
}
RECIPES = {
    "boilernet": {**COMMON, "joint": True, "words": True, "units": 256, "dropout": 0.5, "lstm_dropout": 0.0, "variational": False, "alpha": 0.0, "pages_a_batch": 16},
    "multiboilernet": {**COMMON, "joint": False, "words": False, "units": 128, "dropout": 0.1, "lstm_dropout": 0.01, "variational": True, "alpha": 0.5, "pages_a_batch": 1},
}
# The variants in each table of the comparison; a variant is a recipe with changes.
VARIANTS = {
    "boilernet": ("boilernet", {}),
    "boilernet bag": ("boilernet", {"layers": 0}),
    "boilernet multi": ("multiboilernet", {"words": True, "alpha": 0.0}),
    "multiboilernet": ("multiboilernet", {}),
    "multiboilernet no-aux": ("multiboilernet", {"alpha": 0.0}),
    "multiboilernet bag": ("multiboilernet", {"layers": 0}),
    "multiboilernet bag no-aux": ("multiboilernet", {"layers": 0, "alpha": 0.0}),
    "multiboilernet plain": ("multiboilernet", {"variational": False}),
    "multiboilernet tags": ("multiboilernet", {"text": 0.0}),
    "multiboilernet text": ("multiboilernet", {"tags": 0.0, "alpha": 0.0}),
    "multiboilernet page-1": ("multiboilernet", {}),
    "multiboilernet page-1 no-aux": ("multiboilernet", {"alpha": 0.0}),
    "multiboilernet page-1 bag": ("multiboilernet", {"layers": 0}),
}


# For two slow cores: an LSTM takes nearly as long for eight pages as for one, and as long as for the longest of them. These settings are not in the
# papers; in use both networks see 512 lines at once.
QUICK = {"units": 128, "window": 128, "pages_a_batch": 8, "rate": 2e-3, "epochs": 12}


def settings_of(variant, **changes):
    recipe, own = VARIANTS[variant]
    return {**RECIPES[recipe], **own, **changes}
