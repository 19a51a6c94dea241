"""`textassay order`: orders of sentences and other units; one file per sub-command, imported only when it is called."""

from __future__ import annotations

from cyclopts import App

SUBCOMMANDS = {
    "eval": ("textassay.cli.order.eval_orders:eval_orders", "Compare orders with references, or with each other."),
    "counts": ("textassay.cli.order.counts:counts", "Count all orders of n units by tau."),
    "materials": ("textassay.cli.order.materials:materials", "Draw orders of texts from all bins of tau."),
    "arrange": ("textassay.cli.order.arrange:arrange", "Put texts in order: shortest path, baselines, entity grid."),
    "variability": ("textassay.cli.order.variability:variability", "How much people's orders vary, and why."),
}
"""Sub-commands: where the function is, and its one line of help."""

order = App(name="order", help="Evaluate orders of units; make materials for experiments on order.")
for _name, (_target, _line) in SUBCOMMANDS.items():
    order.command(_target, name=_name, help=_line)
