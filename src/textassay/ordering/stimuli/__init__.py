"""Materials for experiments on order."""
